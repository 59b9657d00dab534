import { refusals } from '../../platform/http/refusals.ts'
import type { OrderCall } from './books.ts'
import type { CallOutcome } from './decide-calls.ts'

/** A call that has waited for a batch this long is answered 503. */
const patienceMilliseconds = 3_000

/**
 * No caller waits longer than ten seconds (decision A8). The remaining second is for the work before and after the intake, and
 * for the network.
 */
const answerMilliseconds = 9_000

/** A call in a lane or in a batch. Its caller is answered exactly once, and in time. */
export type WaitingCall = {
  readonly call: OrderCall
  /**
   * A COMMIT with this call was sent, and its result is not known. From then on the only possible answers are its order,
   * found by its id, or `outcome_unknown`, however often it is tried again.
   */
  isInDoubt: boolean
  /** How often the call was put off because of a busy wallet. */
  rests: number
  readonly isAnswered: () => boolean
  /** True while a batch may still take the call. A call in doubt is looked up until its caller must be answered. */
  readonly isInTime: () => boolean
  readonly answer: (outcome: CallOutcome) => void
  readonly fail: (error: Error) => void
}

/** Receives the answer. `onUnknown` is called for each call whose outcome stayed unknown. */
export type CallEnd = {
  readonly resolve: (outcome: CallOutcome) => void
  readonly reject: (error: Error) => void
  readonly onUnknown: (call: OrderCall) => void
  /** Called once, whatever the answer. */
  readonly onAnswered: () => void
}

export const tooBusy: CallOutcome = { refusal: refusals.overloaded, itemIndex: 0 }
const unknown: CallOutcome = { refusal: refusals.outcomeUnknown, itemIndex: 0 }

export function waitWithCall(call: OrderCall, end: CallEnd): WaitingCall {
  const arrivedAt = performance.now()
  let isAnswered = false

  function finish(settle: () => void): void {
    if (isAnswered) return
    isAnswered = true
    clearTimeout(lastMoment)
    settle()
    end.onAnswered()
  }

  function giveUp(): void {
    end.onUnknown(call)
    end.resolve(unknown)
  }

  const waitingCall: WaitingCall = {
    call,
    isInDoubt: false,
    rests: 0,
    isAnswered: () => isAnswered,
    isInTime: () => waitingCall.isInDoubt || performance.now() - arrivedAt <= patienceMilliseconds,
    answer: (outcome) => finish(() => (waitingCall.isInDoubt && 'refusal' in outcome ? giveUp() : end.resolve(outcome))),
    fail: (error) => finish(() => (waitingCall.isInDoubt ? giveUp() : end.reject(error))),
  }
  const lastMoment = setTimeout(() => waitingCall.answer(tooBusy), answerMilliseconds)
  return waitingCall
}
