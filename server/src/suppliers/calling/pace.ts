import { createStartLimiter } from './create-start-limiter.ts'

/** Limits of a supplier: concurrent calls, and calls per second. */
export type PaceLimits = {
  readonly slots: number
  /** The most calls started per second. Null: no limit. */
  readonly requestsPerSecond: number | null
}

/** Runs calls in the order of the requests, within the limits. */
export type Pace = {
  /**
   * Runs `work` as soon as the limits allow.
   * @throws the signal's reason when it aborts before `work` starts; `work` is then not run
   */
  run<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
  /** How many calls could start right now. */
  free(): number
  /** Starts nothing for a while, because the supplier answered HTTP 429. */
  backOff(seconds: number): void
}

/** A longer wait that a supplier demands is cut to this. */
const backOffSecondsMax = 60

/**
 * Makes the pace of one supplier in this process. After a second without calls, the calls of one second may start at
 * once.
 */
export function createPace({ slots, requestsPerSecond: perSecond }: PaceLimits): Pace {
  const catchUpMilliseconds = perSecond === null ? 0 : Math.max(0, 1_000 - 1_000 / perSecond)
  const limiter = createStartLimiter({ slots, perSecond, catchUpMilliseconds })

  function waitForStart(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        giveUp()
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      const giveUp = limiter.enqueue(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      })
    })
  }

  return {
    run: async (signal, work) => {
      signal?.throwIfAborted()
      // The usual case: nothing waits and a slot is free.
      if (limiter.free() > 0) limiter.startNow()
      else await waitForStart(signal)
      try {
        return await work()
      } finally {
        limiter.end()
      }
    },
    free: () => limiter.free(),
    backOff: (seconds) => limiter.pauseFor(Math.min(seconds, backOffSecondsMax) * 1_000),
  }
}
