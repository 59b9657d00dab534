import { setTimeout as sleep } from 'node:timers/promises'

/** How a link is not overrun: so many submits without an answer, so many a second, and slower when throttled. */
export type SubmitPace = {
  /**
   * Resolves when a submit may go out now, false when it may not any more. Each true is paid back with `done`.
   *
   * @param isBegun a segment of its text was taken already
   */
  turn(isBegun: boolean): Promise<boolean>
  done(outcome: 'taken' | 'throttled' | 'other'): void
  /** Lets no text begin any more. Those that have begun may go on, or they would never arrive whole. */
  close(): void
  /** Lets nothing out any more. */
  stop(): void
}

type Turn = { readonly isBegun: boolean; readonly resolve: (mayGo: boolean) => void }

const backOffMillisecondsMin = 250
const backOffMillisecondsMax = 8_000

/** Opens a pace. `perSecond` null: no limit but the window. */
export function paceSubmits(windowSize: number, perSecond: number | null): SubmitPace {
  let waiting: Turn[] = []
  let underWay = 0
  let isClosed = false
  let isStopped = false
  let nextAt = 0
  let pausedUntil = 0
  let backOffMilliseconds = 0
  let timer: NodeJS.Timeout | undefined

  function feed(): void {
    // A caller that goes on may stop the pace.
    // oxlint-disable-next-line no-unmodified-loop-condition
    while (!isStopped && waiting.length > 0 && underWay < windowSize) {
      const now = performance.now()
      const startAt = Math.max(nextAt, pausedUntil)
      if (startAt > now) {
        timer ??= setTimeout(() => {
          timer = undefined
          feed()
        }, startAt - now)
        return
      }
      // A tenth of a second's worth may be caught up at once, so that a coarse timer does not lower the rate.
      if (perSecond !== null) nextAt = Math.max(nextAt, now - 100) + 1_000 / perSecond
      underWay += 1
      waiting.shift()?.resolve(true)
    }
  }

  const isOver = ({ isBegun }: Pick<Turn, 'isBegun'>) => isStopped || (isClosed && !isBegun)

  function sendAway(): void {
    const gone = waiting.filter(isOver)
    waiting = waiting.filter((turn) => !isOver(turn))
    for (const { resolve } of gone) resolve(false)
  }

  return {
    turn: (isBegun) =>
      isOver({ isBegun })
        ? Promise.resolve(false)
        : new Promise((resolve) => {
            waiting.push({ isBegun, resolve })
            feed()
          }),
    done: (outcome) => {
      underWay -= 1
      if (outcome === 'taken') backOffMilliseconds = 0
      if (outcome === 'throttled' && performance.now() >= pausedUntil) {
        backOffMilliseconds = Math.min(backOffMillisecondsMax, Math.max(backOffMillisecondsMin, backOffMilliseconds * 2))
        pausedUntil = performance.now() + backOffMilliseconds * (0.75 + Math.random() / 2)
      }
      feed()
    },
    close: () => {
      isClosed = true
      sendAway()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      sendAway()
    },
  }
}

/** A wait with jitter, so that links that fell together do not come back together. */
export async function waitWithJitter(seconds: number, signal: AbortSignal): Promise<void> {
  await sleep(seconds * 1_000 * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined)
}
