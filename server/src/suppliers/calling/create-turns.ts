/** The limits: how many calls may be in flight, and how many may start in a second. */
export type TurnLimits = {
  /** In flight at most. */
  readonly slots: number
  /** So many may start in a second. Null: there is no limit. */
  readonly perSecond: number | null
  /** Starts that were possible but not used in this time may be made up at once; older ones are lost. */
  readonly catchUpMilliseconds: number
}

/** Gives turns in the order they were asked for, as the limits allow. */
export type Turns = {
  /** How many could start right now. */
  free(): number
  /** Takes a turn now, without asking. Call it only right after `free` returned more than 0. */
  take(): void
  /**
   * Calls `start` when the turn comes, which may be at once.
   * @returns a function that gives up the place in the line
   */
  ask(start: () => void): () => void
  /** A turn that was taken has ended. */
  end(): void
  /** Starts nothing for this long. A longer pause that is running is not shortened. */
  pauseFor(milliseconds: number): void
  isPaused(): boolean
}

/** Clocks are rounded, so a turn counts as due when at most this part of the time between two starts is missing. */
const rounding = 1e-6

/** Makes the turns of one supplier, or of one link, in this process. */
export function createTurns({ slots, perSecond, catchUpMilliseconds }: TurnLimits): Turns {
  const apartMilliseconds = perSecond === null ? 0 : 1_000 / perSecond
  const waiting: (() => void)[] = []
  let inFlight = 0
  let nextAt = Number.NEGATIVE_INFINITY
  let pausedUntil = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  /** When the next call may start, by the rate. */
  const dueAt = (now: number) => Math.max(nextAt, now - catchUpMilliseconds)

  function startable(): number {
    const slotsLeft = slots - inFlight
    // Most suppliers have no rate and were never paused, so the clock is not read for them.
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

  /** Starts as many as may start now. If only time is missing for the next one, sets a timer. */
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
    take,
    ask: (start) => {
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
