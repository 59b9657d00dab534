import { type BackOff, backOff } from '../../platform/back-off.ts'
import { createTurns } from '../calling/create-turns.ts'

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

type Turn = { readonly isBegun: boolean; readonly resolve: (mayGo: boolean) => void; giveUp(): void }

/** In milliseconds, from one throttled submit to the next ones. */
const throttledPauses: BackOff = { first: 250, most: 8_000, spread: 0.25 }

/** So that a coarse timer does not lower the rate. */
const catchUpMilliseconds = 100

/** Opens a pace. `perSecond` null: no limit but the window. */
export function paceSubmits(windowSize: number, perSecond: number | null): SubmitPace {
  const turns = createTurns({ slots: windowSize, perSecond, catchUpMilliseconds })
  const waiting = new Set<Turn>()
  let isClosed = false
  let isStopped = false
  let throttledCount = 0

  const isOver = ({ isBegun }: Pick<Turn, 'isBegun'>) => isStopped || (isClosed && !isBegun)

  function sendAway(): void {
    for (const turn of [...waiting].filter(isOver)) {
      waiting.delete(turn)
      turn.giveUp()
      turn.resolve(false)
    }
  }

  function waitForTurn(isBegun: boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const turn: Turn = { isBegun, resolve, giveUp: () => undefined }
      waiting.add(turn)
      turn.giveUp = turns.ask(() => {
        waiting.delete(turn)
        resolve(true)
      })
    })
  }

  return {
    turn: (isBegun) => (isOver({ isBegun }) ? Promise.resolve(false) : waitForTurn(isBegun)),
    done: (outcome) => {
      if (outcome === 'taken') throttledCount = 0
      if (outcome === 'throttled' && !turns.isPaused()) {
        turns.pauseFor(backOff(throttledCount, throttledPauses))
        throttledCount += 1
      }
      turns.end()
    },
    close: () => {
      isClosed = true
      sendAway()
    },
    stop: () => {
      isStopped = true
      sendAway()
    },
  }
}
