import { type BackOff, backOff } from '../../platform/back-off.ts'
import { createTurns } from '../calling/create-turns.ts'

/** Limits of a link: unanswered submits, submits per second, and a pause after a throttle. */
export type SubmitPace = {
  /**
   * Resolves true when a submit may be sent now, false when no more may be sent. Call `done` once for each true.
   * @param isBegun an earlier segment of the text was accepted
   */
  turn(isBegun: boolean): Promise<boolean>
  done(outcome: 'taken' | 'throttled' | 'other'): void
  /** Begins no new text. A text that has begun may go on, because otherwise it could never arrive complete. */
  close(): void
  /** Sends nothing more. */
  stop(): void
}

type Turn = { readonly isBegun: boolean; readonly resolve: (mayGo: boolean) => void; giveUp(): void }

/** Pauses in milliseconds after throttled submits. They grow until a submit is accepted. */
const throttledPauses: BackOff = { first: 250, most: 8_000, spread: 0.25 }

/** A coarse timer may delay submits by up to this. They are then sent at once; otherwise the timer would lower the rate. */
const catchUpMilliseconds = 100

/** Opens a pace. `perSecond` null: only the window limits it. */
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
