import type { Pdu } from './pdu.ts'

/** The response to a request, or the reason why there is none. `isSent` false: no byte of the request was sent. */
export type Exchange =
  | { readonly response: Pdu }
  | {
      readonly response: undefined
      readonly isSent: boolean
      readonly why: string
      /** The response after the time-out, if it still comes; undefined when the connection has ended. */
      readonly late?: Promise<Pdu | undefined>
    }

/** The open requests of one connection. Unlike in the `smpp` package, each has a time-out, and a late response is still used. */
export type Exchanges = {
  /** Numbers and sends a request, and waits for its response. */
  begin(command: string, waitSeconds: number, send: (sequenceNumber: number) => void): Promise<Exchange>
  /** Handles a response. Drops it if no request waits for it. */
  handleResponse(response: Pdu): void
  /** Ends all open requests without a response. */
  end(why: string): void
}

type Waiting = {
  readonly command: string
  readonly waitSeconds: number
  /** The time-out, in the process's monotonic milliseconds. */
  readonly endsAt: number
  readonly resolve: (exchange: Exchange) => void
}
type LateResponseWaiters = Map<number, (response: Pdu | undefined) => void>

const sequenceMax = 0x7fff_ffff
/** The most timed-out requests whose responses are still awaited; the oldest is given up first. */
const lateMax = 5_000

/** Calls `onFire` at the earliest of the times requested since the last call: one timer for thousands of requests. */
function createEarliestTimer(onFire: () => void) {
  let firesAt = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    clearTimeout(timer)
    firesAt = Number.POSITIVE_INFINITY
  }
  return {
    stop,
    fireBy(at: number): void {
      if (at >= firesAt) return
      clearTimeout(timer)
      firesAt = at
      const fire = () => {
        firesAt = Number.POSITIVE_INFINITY
        onFire()
      }
      timer = setTimeout(fire, Math.max(1, at - performance.now()))
    },
  }
}

export function openExchanges(): Exchanges {
  const waiting = new Map<number, Waiting>()
  const late: LateResponseWaiters = new Map()
  const timeoutTimer = createEarliestTimer(endOverdue)
  let sequence = 0

  function endOverdue(): void {
    const now = performance.now()
    for (const [number, { command, waitSeconds, endsAt, resolve }] of waiting) {
      if (endsAt > now) {
        timeoutTimer.fireBy(endsAt)
        continue
      }
      waiting.delete(number)
      const why = `no answer to ${command} in ${waitSeconds} s`
      resolve({ response: undefined, isSent: true, why, late: awaitLateResponse(late, number) })
    }
  }

  return {
    begin(command, waitSeconds, send) {
      sequence = sequence >= sequenceMax ? 1 : sequence + 1
      const number = sequence
      const endsAt = performance.now() + waitSeconds * 1_000
      return new Promise((resolve) => {
        waiting.set(number, { command, waitSeconds, endsAt, resolve })
        timeoutTimer.fireBy(endsAt)
        send(number)
      })
    },
    handleResponse(response) {
      const number = response.sequence_number
      const asked = waiting.get(number)
      if (!asked) {
        endLateWait(late, number, response)
        return
      }
      waiting.delete(number)
      asked.resolve({ response })
    },
    end(why) {
      timeoutTimer.stop()
      for (const { resolve } of waiting.values()) resolve({ response: undefined, isSent: true, why })
      waiting.clear()
      for (const number of late.keys()) endLateWait(late, number, undefined)
    },
  }
}

/** Keeps waiting for a timed-out response. */
function awaitLateResponse(late: LateResponseWaiters, number: number): Promise<Pdu | undefined> {
  const [oldest] = late.keys()
  if (oldest !== undefined && late.size >= lateMax) endLateWait(late, oldest, undefined)
  return new Promise((resolve) => late.set(number, resolve))
}

function endLateWait(late: LateResponseWaiters, number: number, response: Pdu | undefined): void {
  late.get(number)?.(response)
  late.delete(number)
}
