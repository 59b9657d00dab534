import type { Pdu } from './pdu.ts'

/** The result of a request: its response, or why there is none. `isSent` false: no byte of it was sent. */
export type Exchange =
  | { readonly response: Pdu }
  | {
      readonly response: undefined
      readonly isSent: boolean
      readonly why: string
      /**
       * Waits for the response after the time-out. It resolves with the response if that still comes, or with undefined
       * when the connection has ended.
       */
      readonly late?: Promise<Pdu | undefined>
    }

/**
 * The open requests of one connection. Unlike in the `smpp` package, each has a time-out, and a response that comes
 * later is still used.
 */
export type Exchanges = {
  /** Numbers a request, sends it, and waits for its response. */
  begin(command: string, waitSeconds: number, send: (sequenceNumber: number) => void): Promise<Exchange>
  /** Takes a response. If no request waits for it, it is dropped. */
  take(response: Pdu): void
  /** Ends all open requests: there will be no response. */
  end(why: string): void
}

type Waiting = { readonly resolve: (exchange: Exchange) => void; readonly timer: NodeJS.Timeout }
type LateWaiting = Map<number, (response: Pdu | undefined) => void>

const sequenceMax = 0x7fff_ffff
/** How many timed-out requests are remembered; the oldest is given up first. */
const lateMax = 5_000

export function openExchanges(): Exchanges {
  const waiting = new Map<number, Waiting>()
  const late: LateWaiting = new Map()
  let sequence = 0
  return {
    begin(command, waitSeconds, send) {
      sequence = sequence >= sequenceMax ? 1 : sequence + 1
      const number = sequence
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(number)
          const why = `no answer to ${command} in ${waitSeconds} s`
          resolve({ response: undefined, isSent: true, why, late: waitOn(late, number) })
        }, waitSeconds * 1_000)
        waiting.set(number, { resolve, timer })
        send(number)
      })
    },
    take(response) {
      const number = response.sequence_number
      const asked = waiting.get(number)
      if (!asked) {
        endLate(late, number, response)
        return
      }
      waiting.delete(number)
      clearTimeout(asked.timer)
      asked.resolve({ response })
    },
    end(why) {
      for (const { resolve, timer } of waiting.values()) {
        clearTimeout(timer)
        resolve({ response: undefined, isSent: true, why })
      }
      waiting.clear()
      for (const number of late.keys()) endLate(late, number, undefined)
    },
  }
}

/** Goes on waiting for a response whose time ran out. */
function waitOn(late: LateWaiting, number: number): Promise<Pdu | undefined> {
  const [oldest] = late.keys()
  if (oldest !== undefined && late.size >= lateMax) endLate(late, oldest, undefined)
  return new Promise((resolve) => late.set(number, resolve))
}

function endLate(late: LateWaiting, number: number, response: Pdu | undefined): void {
  late.get(number)?.(response)
  late.delete(number)
}
