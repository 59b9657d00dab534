/** How fast and how wide a supplier may be called. */
export type PaceLimits = {
  /** Calls in flight at most. */
  readonly slots: number
  /** Calls started per second at most; null: no limit. */
  readonly requestsPerSecond: number | null
}

/** Lets calls pass one by one, in the order they came, as the limits allow. */
export type Pace = {
  /** Runs `work` when its turn comes. @throws the signal's reason when it is aborted while waiting; `work` is then not run */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
  /** How many calls could start right now. */
  free(): number
  /** Starts nothing for a while: the supplier asked for it (HTTP 429). */
  backOff(seconds: number): void
}

type Waiter = { readonly start: () => void }

/** A supplier that asks for more patience than this is asked again all the same. */
const backOffSecondsMax = 60

/** Makes the pace of one supplier in this process: a number of slots, and a bucket that holds one second's worth of calls. */
export function createPace(limits: PaceLimits): Pace {
  const rate = limits.requestsPerSecond ?? Number.POSITIVE_INFINITY
  const waiting: Waiter[] = []
  let inFlight = 0
  let tokens = rate
  let filledAt = performance.now()
  let closedUntil = 0
  let timer: NodeJS.Timeout | undefined

  function fill(now: number): void {
    if (rate === Number.POSITIVE_INFINITY) return
    tokens = Math.min(rate, tokens + ((now - filledAt) / 1_000) * rate)
    filledAt = now
  }

  function free(): number {
    const now = performance.now()
    if (now < closedUntil) return 0
    fill(now)
    return Math.max(0, Math.min(limits.slots - inFlight, Math.floor(tokens)) - waiting.length)
  }

  function take(): void {
    inFlight += 1
    tokens -= 1
  }

  /** Starts as many as may start, and comes back when time alone will let another one start. */
  function advance(): void {
    clearTimeout(timer)
    const now = performance.now()
    fill(now)
    const startable = now < closedUntil ? 0 : Math.min(waiting.length, limits.slots - inFlight, Math.floor(tokens))
    for (const waiter of waiting.splice(0, Math.max(0, startable))) {
      take()
      waiter.start()
    }
    if (waiting.length === 0 || inFlight >= limits.slots) return
    const untilOpen = closedUntil - now
    const untilToken = tokens >= 1 ? 0 : ((1 - tokens) / rate) * 1_000
    timer = setTimeout(advance, Math.ceil(Math.max(untilOpen, untilToken, 1)))
  }

  function waitForTurn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        const index = waiting.indexOf(waiter)
        if (index >= 0) waiting.splice(index, 1)
        reject(signal.reason as Error)
      }
      const waiter: Waiter = {
        start: () => {
          signal.removeEventListener('abort', giveUp)
          resolve()
        },
      }
      signal.addEventListener('abort', giveUp, { once: true })
      waiting.push(waiter)
      advance()
    })
  }

  return {
    run: async (signal, work) => {
      signal.throwIfAborted()
      // Nobody waits and there is room: the usual case, which needs no turn.
      if (free() > 0) take()
      else await waitForTurn(signal)
      try {
        return await work()
      } finally {
        inFlight -= 1
        advance()
      }
    },
    free,
    backOff: (seconds) => {
      const until = performance.now() + Math.min(seconds, backOffSecondsMax) * 1_000
      closedUntil = Math.max(closedUntil, until)
    },
  }
}
