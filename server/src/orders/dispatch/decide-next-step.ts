import type { AskSchedule, SupplierAnswer } from '../../suppliers/ports.ts'
import type { AnswerSource, Attempt, AttemptOutcome } from '../attempt.ts'
import type { Decision, HoldReason, NextStep } from '../next-step.ts'

export type AnsweredAttempt = {
  readonly attempt: Attempt
  readonly source: AnswerSource
  readonly answer: SupplierAnswer
  /** A moment of the database's clock, at or before the beginning of the question. */
  readonly askedAt: Date
  readonly schedule: AskSchedule
  /** Open routes of other suppliers that could take the order and were not tried yet, best first. */
  readonly otherRoutes: readonly string[]
  /** Open routes of other suppliers that were tried for this order before and did not take it, best first. */
  readonly triedRoutes: readonly string[]
}

/** Look-ups that must agree before a supplier's "not found" is believed. */
const absencesForProof = 2

/** If the supplier asks us to wait no longer than this, we wait: another supplier may be more expensive. */
const throttleWaitSecondsMax = 60

/** From this moment on, a look-up that does not find our reference counts towards the proof that it never arrived. */
export function absenceCountsFrom(attempt: Attempt, schedule: AskSchedule): Date {
  return new Date(attempt.sendBeforeAt.getTime() + schedule.maximumInFlightSeconds * 1_000)
}

/**
 * From this moment on, one more look-up with the answer `unfulfilled` proves a failure: it is far enough from the first one,
 * and no send of ours can be on its way any more. Undefined when there was no first one, or when this supplier's `unfulfilled`
 * is never proof.
 */
function unfulfilledCountsFrom({ attempt, schedule }: AnsweredAttempt): Date | undefined {
  const { unfulfilledProofSeconds } = schedule
  if (unfulfilledProofSeconds === undefined || attempt.unfulfilledSince === null) return undefined
  const farEnough = attempt.unfulfilledSince.getTime() + unfulfilledProofSeconds * 1_000
  return new Date(Math.max(farEnough, absenceCountsFrom(attempt, schedule).getTime()))
}

function isProvenUnfulfilled(answered: AnsweredAttempt): boolean {
  const countsFrom = unfulfilledCountsFrom(answered)
  return answered.source === 'status' && countsFrom !== undefined && answered.askedAt >= countsFrom
}

/** The earliest moment at which the same answer would count towards a proof. It may bring the next question forward. */
function proofAt(answered: AnsweredAttempt): Date | undefined {
  const { attempt, answer, askedAt, schedule } = answered
  if (answer.meaning === 'never_received') return absenceCountsFrom(attempt, schedule)
  if (answer.meaning !== 'unfulfilled' || schedule.unfulfilledProofSeconds === undefined) return undefined
  const first = new Date(askedAt.getTime() + schedule.unfulfilledProofSeconds * 1_000)
  return unfulfilledCountsFrom(answered) ?? new Date(Math.max(first.getTime(), absenceCountsFrom(attempt, schedule).getTime()))
}

/**
 * Judges an answer by its source. Only the first send of an attempt can be rejected. An error of a look-up is never a
 * rejection. A rejection of a re-send proves nothing about the first send, which may still be on its way. An attempt that
 * the supplier accepted cannot become unknown or absent again.
 */
function judgeOutcome(answered: AnsweredAttempt): AttemptOutcome {
  const { attempt, source, answer, askedAt, schedule } = answered
  const undecided = attempt.outcome === 'accepted' ? 'accepted' : 'unknown'
  const isFirstAnswer = source === 'send' && attempt.outcome === null
  switch (answer.meaning) {
    case 'delivered':
    case 'failed':
      return answer.meaning
    case 'accepted':
    case 'duplicate_exists':
      return 'accepted'
    case 'rejected_recipient':
    case 'rejected_request':
    case 'rejected_platform':
    case 'not_registered':
    case 'throttled':
    case 'not_sent':
    case 'unreachable':
      return isFirstAnswer ? answer.meaning : undecided
    case 'never_received': {
      const isCounted = source === 'status' && undecided === 'unknown' && askedAt >= absenceCountsFrom(attempt, schedule)
      return isCounted && attempt.provenAbsences + 1 >= absencesForProof ? 'never_received' : undecided
    }
    case 'unfulfilled':
      return isProvenUnfulfilled(answered) ? 'failed' : undecided
    case 'unknown':
      return undecided
  }
  return answer satisfies never
}

function delayFor(schedule: AskSchedule, position: number): number {
  const { delaysSeconds } = schedule
  return delaysSeconds[Math.min(position, delaysSeconds.length - 1)] ?? 60
}

function hasWaitedTooLong(since: Date, { askedAt, schedule }: AnsweredAttempt): boolean {
  return askedAt.getTime() - since.getTime() >= schedule.raiseAfterSeconds * 1_000
}

function askingHoldReason(answered: AnsweredAttempt): HoldReason | null {
  const { attempt, answer } = answered
  if (hasWaitedTooLong(attempt.createdAt, answered)) return 'no_definitive_answer'
  return answer.meaning === 'unknown' && answer.suspects !== undefined ? 'platform_rejected' : null
}

/** The next question comes on schedule, earlier if its answer could be proof, or later if the supplier asks us to wait. */
function askAgain(answered: AnsweredAttempt): NextStep {
  const { attempt, answer, askedAt, schedule } = answered
  let afterSeconds = delayFor(schedule, attempt.asks)
  const proof = proofAt(answered)
  if (proof !== undefined) {
    const secondsToProof = (proof.getTime() - askedAt.getTime()) / 1_000
    afterSeconds = Math.min(afterSeconds, Math.max(secondsToProof, delayFor(schedule, 0)))
  }
  if (answer.meaning === 'throttled') afterSeconds = Math.max(afterSeconds, answer.retryAfterSeconds)
  return { do: 'ask_again', afterSeconds, holdReason: askingHoldReason(answered) }
}

/**
 * Decides about an order that the supplier certainly did not take, because of a problem at the supplier or on our side: sends
 * it to another supplier at once, or lets it wait. When all suppliers have been tried, they are tried again in turn, so that
 * the order goes out as soon as one of them works again.
 */
function sendOn(answered: AnsweredAttempt, waitSeconds: number, holdReason: HoldReason): NextStep {
  const [route] = answered.otherRoutes
  const isShortThrottle = holdReason === 'throttled' && waitSeconds <= throttleWaitSecondsMax
  if (route !== undefined && !isShortThrottle) return { do: 'send_elsewhere', route }
  const afterSeconds = Math.max(waitSeconds, delayFor(answered.schedule, answered.attempt.attemptNo - 1))
  const [triedRoute] = answered.triedRoutes
  if (triedRoute !== undefined && !isShortThrottle) {
    return { do: 'send_elsewhere_later', route: triedRoute, afterSeconds, holdReason }
  }
  return { do: 'send_again', afterSeconds, holdReason }
}

/**
 * True when the supplier refused because of our own mistake: a wrong package code, our credentials, or the state of our
 * account.
 */
function isOurMistake(answer: SupplierAnswer): boolean {
  if (answer.meaning === 'rejected_request') return answer.isOurMistake === true
  return answer.meaning === 'rejected_platform' && (answer.cause === 'auth' || answer.cause === 'disabled')
}

function stepFor(outcome: AttemptOutcome, answered: AnsweredAttempt): NextStep {
  const [otherRoute] = answered.otherRoutes
  switch (outcome) {
    case 'delivered':
      return { do: 'complete' }
    case 'failed':
    case 'rejected_recipient':
      return { do: 'fail' }
    case 'rejected_request':
      return isOurMistake(answered.answer) ? sendOn(answered, 0, 'request_rejected') : { do: 'fail' }
    case 'never_received':
      if (answered.attempt.isOnlyAsked) return { do: 'send_again', afterSeconds: 0, holdReason: null }
      return otherRoute === undefined ? { do: 'fail' } : { do: 'send_elsewhere', route: otherRoute }
    case 'rejected_platform':
      return sendOn(answered, 0, 'platform_rejected')
    case 'throttled': {
      const { answer } = answered
      return sendOn(answered, answer.meaning === 'throttled' ? answer.retryAfterSeconds : 0, 'throttled')
    }
    case 'unreachable':
      return sendOn(answered, 0, 'supplier_unreachable')
    case 'not_registered':
      return { do: 'hold_for_registration' }
    case 'not_sent':
      return { do: 'send_again', afterSeconds: 0, holdReason: null }
    case 'accepted':
    case 'unknown':
      return askAgain(answered)
  }
  return outcome satisfies never
}

function recordedAnswer({ attempt, source, answer, askedAt, schedule }: AnsweredAttempt): Decision['recordedAnswer'] {
  if (answer.meaning !== 'never_received') return answer.meaning
  const isCounted = source === 'status' && askedAt >= absenceCountsFrom(attempt, schedule)
  return isCounted ? 'never_received' : 'never_received_early'
}

/**
 * Decides what a supplier's answer means for the order whose open attempt this is (decisions S1: money goes back on proof, not
 * on silence; S7b: which answer refunds, moves on or waits). Pure.
 *
 * Only `delivered` completes the order. Four answers fail it: a definitive failed status; a second `unfulfilled`, late enough
 * after the first one for this supplier; a rejection of the recipient or the request by the only send, unless our own mistake
 * caused it; a proven absence of a sent order when no untried open route is left. After every other answer the order waits, the
 * supplier is asked again, or, once it is proven that nothing was delivered, a new attempt is sent.
 */
export function decideNextStep(answered: AnsweredAttempt): Decision {
  const outcome = judgeOutcome(answered)
  return {
    step: stepFor(outcome, answered),
    outcome,
    recordedAnswer: recordedAnswer(answered),
    ...(outcome === answered.answer.meaning && isOurMistake(answered.answer) ? { isOurMistake: true } : {}),
  }
}
