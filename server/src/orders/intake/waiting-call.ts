import { refusals } from '../../platform/http/refusals.ts'
import type { OrderCall } from './books.ts'
import type { CallOutcome } from './decide-calls.ts'

/** A call that no batch has taken this long after it came is told to come back. */
const patienceMilliseconds = 3_000

/**
 * No caller waits longer than ten seconds (decision A8: nobody waits longer than 10 s): the rest of them is for the way to
 * the intake and back.
 */
const answerMilliseconds = 9_500

/** A call on its way through a lane. Its caller is answered once, and in time. */
export type WaitingCall = {
  readonly call: OrderCall
  /**
   * A COMMIT that would place the call was sent, and nobody has said what became of it. However often the
   * call is tried again, its only answers are from then on its order, found by its id, or `outcome_unknown`.
   */
  isInDoubt: boolean
  readonly isAnswered: () => boolean
  /** Whether a batch may still take it. What is in doubt is looked up until its caller must be answered. */
  readonly isInTime: () => boolean
  readonly answer: (outcome: CallOutcome) => void
  readonly fail: (error: Error) => void
}

/** Where the answer goes; `onUnknown` is told of every call whose outcome could not be learnt. */
export type CallEnd = {
  readonly resolve: (outcome: CallOutcome) => void
  readonly reject: (error: Error) => void
  readonly onUnknown: (call: OrderCall) => void
}

export const tooBusy: CallOutcome = { refusal: refusals.overloaded, itemIndex: 0 }
const unknown: CallOutcome = { refusal: refusals.outcomeUnknown, itemIndex: 0 }

/** Lets a call wait from now on. */
export function waitWithCall(call: OrderCall, end: CallEnd): WaitingCall {
  const arrivedAt = performance.now()
  let isAnswered = false

  function finish(settle: () => void): void {
    if (isAnswered) return
    isAnswered = true
    clearTimeout(lastMoment)
    settle()
  }

  function giveUp(): void {
    end.onUnknown(call)
    end.resolve(unknown)
  }

  const waitingCall: WaitingCall = {
    call,
    isInDoubt: false,
    isAnswered: () => isAnswered,
    isInTime: () => waitingCall.isInDoubt || performance.now() - arrivedAt <= patienceMilliseconds,
    answer: (outcome) => finish(() => (waitingCall.isInDoubt && 'refusal' in outcome ? giveUp() : end.resolve(outcome))),
    fail: (error) => finish(() => (waitingCall.isInDoubt ? giveUp() : end.reject(error))),
  }
  const lastMoment = setTimeout(() => waitingCall.answer(tooBusy), answerMilliseconds)
  return waitingCall
}
