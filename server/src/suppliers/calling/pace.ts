import { createTurns } from './create-turns.ts'

/** How many calls a supplier may get at the same time and per second. */
export type PaceLimits = {
  /** Calls in flight at most. */
  readonly slots: number
  /** Calls started per second at most; null: no limit. */
  readonly requestsPerSecond: number | null
}

/** Lets calls pass one by one, in the order they came, as the limits allow. */
export type Pace = {
  /** Runs `work` when its turn comes. @throws the signal's reason when it is aborted while waiting; `work` is then not run */
  run<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
  /** How many calls could start right now. */
  free(): number
  /** Starts nothing for a while: the supplier asked for it (HTTP 429). */
  backOff(seconds: number): void
}

/** If a supplier asks for a longer wait than this, it is still called again after this time. */
const backOffSecondsMax = 60

/** Makes the pace of one supplier in this process. After a rest, one second's worth of calls may start at once. */
export function createPace({ slots, requestsPerSecond: perSecond }: PaceLimits): Pace {
  const catchUpMilliseconds = perSecond === null ? 0 : Math.max(0, 1_000 - 1_000 / perSecond)
  const turns = createTurns({ slots, perSecond, catchUpMilliseconds })

  function waitForTurn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        giveUp()
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      const giveUp = turns.ask(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      })
    })
  }

  return {
    run: async (signal, work) => {
      signal?.throwIfAborted()
      // The usual case: nothing waits and a slot is free, so no place in the line is needed.
      if (turns.free() > 0) turns.take()
      else await waitForTurn(signal)
      try {
        return await work()
      } finally {
        turns.end()
      }
    },
    free: () => turns.free(),
    backOff: (seconds) => turns.pauseFor(Math.min(seconds, backOffSecondsMax) * 1_000),
  }
}
