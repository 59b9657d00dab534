import type { SmsAnswer } from '../../../suppliers/sms-ports.ts'

/**
 * The states of a message on its way from a campaign to a supplier.
 *
 * - `waiting`: no link has it, and any link may claim it
 * - `claimed`: one link has it, and has not sent it
 * - `entering`: the window that names it is being committed; it is not sent yet
 * - `in_flight`: a committed window names it; it is sent, or about to be sent
 * - `unanswered`: perhaps it was sent; nobody knows
 * - `answered`: it has ended
 *
 * Only `waiting`, `unanswered` and `answered` appear in the column `submit` of the message's row. The column stays `waiting`
 * until an answer, or its absence, is written, because claims, windows and kept answers have their own tables
 * (`claim-messages.ts`, `commit-window.ts`). A message whose number has opted out is `answered` from the beginning of its
 * campaign (`expand-campaigns.ts`).
 */
export type MessageState = 'waiting' | 'claimed' | 'entering' | 'in_flight' | 'unanswered' | 'answered'

/** A change of a message's state. */
export type MessageMove<To extends MessageState = MessageState> = {
  readonly from: readonly MessageState[]
  readonly to: To
  /** Final status of the message. Until then it is `queued`. */
  readonly end?: 'sent' | 'failed'
  /** The supplier refused us or the sender, not the text. The supplier does not get the message again. */
  readonly isRefusal?: true
  /** The message waits again although it may have arrived. From then on it never ends as `failed`. */
  readonly mayHaveArrived?: true
}

/** A message is already unanswered when its answer comes late, or after another process took the link over. */
const perhapsSent: readonly MessageState[] = ['in_flight', 'unanswered']

/** Moves by a supplier's answer, or by a missing answer. */
const movesByAnswer = {
  accepted: { from: perhapsSent, to: 'answered', end: 'sent' },
  rejected: { from: perhapsSent, to: 'answered', end: 'failed' },
  refusedHere: { from: perhapsSent, to: 'waiting', isRefusal: true },
  refusedEverywhere: { from: perhapsSent, to: 'answered', end: 'failed', isRefusal: true },
  // The supplier certainly did not accept the message, or the link went down before it was sent.
  notSent: { from: ['claimed', ...perhapsSent], to: 'waiting' },
  unknown: { from: perhapsSent, to: 'unanswered' },
  // Only where the operator accepts that a message may be sent twice.
  unknownAndResubmitted: { from: perhapsSent, to: 'waiting', mayHaveArrived: true },
} satisfies Readonly<Record<string, MessageMove<'waiting' | 'unanswered' | 'answered'>>>

/**
 * All moves of a message. It goes from `waiting` to `claimed`, `entering` and `in_flight`; then an answer decides. A message
 * that was perhaps sent waits again only when it certainly was not accepted, or when the operator accepts that it may be
 * sent twice.
 */
export const messageMoves = {
  claim: { from: ['waiting'], to: 'claimed' },
  enter: { from: ['claimed'], to: 'entering' },
  notEntered: { from: ['entering'], to: 'claimed' },
  send: { from: ['entering'], to: 'in_flight' },
  ...movesByAnswer,
  // At the deadline: a message that may have arrived counts as sent; a message that was never sent fails.
  overdue: { from: ['waiting', 'claimed', ...perhapsSent], to: 'answered', end: 'sent' },
  overdueUnsent: { from: ['waiting'], to: 'answered', end: 'failed' },
  // The same as `overdue`, for an unclaimed message of a cancelled campaign.
  cancelled: { from: ['waiting'], to: 'answered', end: 'sent' },
  cancelledUnsent: { from: ['waiting'], to: 'answered', end: 'failed' },
} satisfies Readonly<Record<string, MessageMove>>

/**
 * The state after a move.
 * @throws Error when the move does not begin in this state
 */
export function stateAfter(state: MessageState, { from, to }: MessageMove): MessageState {
  if (!from.includes(state)) throw new Error(`a message that is ${state} cannot become ${to} by this move`)
  return to
}

/**
 * The move of an answer. Only a definitive refusal fails a message. A message with an unknown outcome is not sent again,
 * unless the operator accepts that it may be sent twice (`isResubmitting`).
 */
export function moveByAnswer(
  { answer, hasOtherSupplier }: { readonly answer: SmsAnswer; readonly hasOtherSupplier: boolean },
  isResubmitting: boolean,
): MessageMove<'waiting' | 'unanswered' | 'answered'> {
  switch (answer.meaning) {
    case 'accepted':
      return movesByAnswer.accepted
    case 'rejected':
      return movesByAnswer.rejected
    case 'refused_us':
      return hasOtherSupplier ? movesByAnswer.refusedHere : movesByAnswer.refusedEverywhere
    case 'not_sent':
      return movesByAnswer.notSent
    case 'unknown':
      return isResubmitting ? movesByAnswer.unknownAndResubmitted : movesByAnswer.unknown
  }
  return answer.meaning satisfies never
}
