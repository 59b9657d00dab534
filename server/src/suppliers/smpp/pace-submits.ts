import { type BackOff, backOff } from '../../platform/back-off.ts'
import { createTurns } from '../calling/create-turns.ts'

/** The pace of a link: how many submits may be unanswered, how many per second, and slower after a throttle. */
export type SubmitPace = {
  /**
   * Resolves true when a submit may be sent now, false when no more may be. Call `done` once for each true.
   * @param isBegun a segment of its text was taken already
   */
  turn(isBegun: boolean): Promise<boolean>
  done(outcome: 'taken' | 'throttled' | 'other'): void
  /** Lets no new text begin. Texts that have begun may go on, because otherwise they could never arrive complete. */
  close(): void
  /** Lets nothing out any more. */
  stop(): void
}

type Turn = { readonly isBegun: boolean; readonly resolve: (mayGo: boolean) => void; giveUp(): void }

/** The pauses in milliseconds after throttled submits: each is longer than the one before, until a submit is taken. */
const throttledPauses: BackOff = { first: 250, most: 8_000, spread: 0.25 }

/** Submits that a coarse timer delays by up to this are made up at once. Otherwise the timer would lower the rate. */
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
