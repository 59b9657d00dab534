import { type BackOff, backOff } from '../../platform/back-off.ts'
import { createStartLimiter } from '../calling/create-start-limiter.ts'

/** Limits of a link: unanswered submits, submits per second, and a pause after a throttle. */
export type SubmitPace = {
  /**
   * Resolves true when a submit may be sent now, false when no more may be sent. Call `done` once for each true.
   * @param isBegun an earlier segment of the text was accepted
   */
  waitToSubmit(isBegun: boolean): Promise<boolean>
  done(outcome: 'taken' | 'throttled' | 'other'): void
  /** Begins no new text. A text that has begun may go on, because otherwise it could never arrive complete. */
  close(): void
  /** Sends nothing more. */
  stop(): void
}

type WaitingSubmit = { readonly isBegun: boolean; readonly resolve: (mayGo: boolean) => void; giveUp(): void }

/** Pauses in milliseconds after throttled submits. They grow until a submit is accepted. */
const throttledPauses: BackOff = { first: 250, most: 8_000, spread: 0.25 }

/** A coarse timer may delay submits by up to this. They are then sent at once; otherwise the timer would lower the rate. */
const catchUpMilliseconds = 100

/** Makes the pace of a link. `perSecond` null: only the window limits it. */
export function createSubmitPace(windowSize: number, perSecond: number | null): SubmitPace {
  const limiter = createStartLimiter({ slots: windowSize, perSecond, catchUpMilliseconds })
  const waiting = new Set<WaitingSubmit>()
  let isClosed = false
  let isStopped = false
  let throttledCount = 0

  const isRefused = ({ isBegun }: Pick<WaitingSubmit, 'isBegun'>) => isStopped || (isClosed && !isBegun)

  function refuseWaiting(): void {
    for (const turn of [...waiting].filter(isRefused)) {
      waiting.delete(turn)
      turn.giveUp()
      turn.resolve(false)
    }
  }

  function waitForTurn(isBegun: boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const turn: WaitingSubmit = { isBegun, resolve, giveUp: () => undefined }
      waiting.add(turn)
      turn.giveUp = limiter.enqueue(() => {
        waiting.delete(turn)
        resolve(true)
      })
    })
  }

  return {
    waitToSubmit: (isBegun) => (isRefused({ isBegun }) ? Promise.resolve(false) : waitForTurn(isBegun)),
    done: (outcome) => {
      if (outcome === 'taken') throttledCount = 0
      if (outcome === 'throttled' && !limiter.isPaused()) {
        limiter.pauseFor(backOff(throttledCount, throttledPauses))
        throttledCount += 1
      }
      limiter.end()
    },
    close: () => {
      isClosed = true
      refuseWaiting()
    },
    stop: () => {
      isStopped = true
      refuseWaiting()
    },
  }
}
