export type StartLimits = {
  readonly slots: number
  /** The most starts per second. Null: no limit. */
  readonly perSecond: number | null
  /**
   * After a time without calls, the calls that could have started in this time may start at once, besides the next one.
   */
  readonly catchUpMilliseconds: number
}

/** Lets calls start in the order of their requests, within the limits. A call that starts takes a slot; `end` frees it. */
export type StartLimiter = {
  /** How many calls could start right now. */
  free(): number
  /** Starts a call at once. Call it only right after `free` returned more than 0. */
  startNow(): void
  /**
   * Calls `start` as soon as the limits allow, which may be at once.
   * @returns a function that withdraws the request
   */
  enqueue(start: () => void): () => void
  /** Ends a call that has started. */
  end(): void
  /** Starts nothing for this time. Does not shorten a longer pause. */
  pauseFor(milliseconds: number): void
  isPaused(): boolean
}

/** A call may start early by this part of the time between two starts, because clocks are rounded. */
const rounding = 1e-6

/** Makes the start limiter of one supplier or link in this process. */
export function createStartLimiter({ slots, perSecond, catchUpMilliseconds }: StartLimits): StartLimiter {
  const apartMilliseconds = perSecond === null ? 0 : 1_000 / perSecond
  const waiting: (() => void)[] = []
  let inFlight = 0
  let nextAt = Number.NEGATIVE_INFINITY
  let pausedUntil = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  /** The earliest next start, by the rate. */
  const dueAt = (now: number) => Math.max(nextAt, now - catchUpMilliseconds)

  function startable(): number {
    const slotsLeft = slots - inFlight
    // Most suppliers have no rate and were never paused; for them the clock is not read.
    if (apartMilliseconds === 0 && pausedUntil === Number.NEGATIVE_INFINITY) return slotsLeft
    const now = performance.now()
    if (now < pausedUntil) return 0
    if (apartMilliseconds === 0) return slotsLeft
    return Math.min(slotsLeft, Math.floor((now - dueAt(now)) / apartMilliseconds + 1 + rounding))
  }

  function take(): void {
    inFlight += 1
    if (apartMilliseconds > 0) nextAt = dueAt(performance.now()) + apartMilliseconds
  }

  /** Starts all waiting calls that may start now. If only time is missing for the next one, sets a timer. */
  function advance(): void {
    if (waiting.length === 0) return
    clearTimeout(timer)
    for (const start of waiting.splice(0, Math.max(0, startable()))) {
      take()
      start()
    }
    if (waiting.length === 0 || inFlight >= slots) return
    timer = setTimeout(advance, Math.ceil(Math.max(pausedUntil, nextAt, performance.now() + 1) - performance.now()))
  }

  return {
    free: () => Math.max(0, startable() - waiting.length),
    startNow: take,
    enqueue: (start) => {
      waiting.push(start)
      advance()
      return () => {
        const index = waiting.indexOf(start)
        if (index >= 0) waiting.splice(index, 1)
        if (waiting.length === 0) clearTimeout(timer)
      }
    },
    end: () => {
      inFlight -= 1
      advance()
    },
    pauseFor: (milliseconds) => {
      pausedUntil = Math.max(pausedUntil, performance.now() + milliseconds)
    },
    isPaused: () => performance.now() < pausedUntil,
  }
}
