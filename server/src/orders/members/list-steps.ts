import type { OrderReport } from '../order-reports/order-report.ts'
import { meaningOf } from '../outcomes.ts'
import type { AttemptRecord, OrderHistory } from '../queries/read-order-history.ts'
import { explainRefund } from '../settlement/explain-refund.ts'

export type OrderStep = {
  readonly at: Date
  readonly step:
    | 'paid'
    | 'waits_for_registration'
    | 'registered'
    | 'sent'
    | 'sent_again'
    | 'taken'
    | 'no_answer'
    | 'asked'
    | 'turned_away'
    | 'delivered'
    | 'failed'
    | 'cancelled'
    | 'refunded'
    | 'reported'
    | 'answered'
  readonly count: number | null
  readonly reason: string | null
}

const stepOf = (at: Date, step: OrderStep['step'], more: Partial<OrderStep> = {}): OrderStep => ({
  at,
  step,
  count: null,
  reason: null,
  ...more,
})

/** An attempt as the order's owner sees it: the send, the first answer, the number of questions, and whether it was refused. */
function stepsOfAttempt({ attemptNo, createdAt, outcome, answers }: AttemptRecord): OrderStep[] {
  const steps = [stepOf(createdAt, attemptNo === 1 ? 'sent' : 'sent_again')]
  const taken = answers.find(({ answer }) => answer === 'accepted' || answer === 'duplicate_exists')
  const unclear = answers.find(({ answer }) => answer === 'unknown')
  if (unclear && (!taken || unclear.at < taken.at)) steps.push(stepOf(unclear.at, 'no_answer'))
  if (taken) steps.push(stepOf(taken.at, 'taken'))
  const asked = answers.filter(({ source }) => source === 'status' || source === 'resend')
  const lastAsked = asked.at(-1)
  if (lastAsked) steps.push(stepOf(lastAsked.at, 'asked', { count: asked.length }))
  const last = answers.at(-1)
  if (last && meaningOf(outcome)?.sendsOn !== undefined) steps.push(stepOf(last.at, 'turned_away'))
  return steps
}

/** The moves that the order's owner sees. */
function stepsOfEvents({ order, events }: OrderHistory): OrderStep[] {
  const moves = events.flatMap(({ at, from, to, reason }) => {
    if (from === 'queued' && to === 'pending') return [stepOf(at, 'registered')]
    if (to === 'completed') return [stepOf(at, 'delivered')]
    if (to === 'failed') return [stepOf(at, 'failed', { reason: explainRefund(reason) })]
    if (to === 'cancelled') return [stepOf(at, 'cancelled')]
    if (to === 'refunded') return [stepOf(at, 'refunded')]
    return []
  })
  // An order that the purchase itself delivers is completed from the start and has no such move.
  const isDeliveredAtOnce = order.status === 'completed' && !events.some(({ to }) => to === 'completed')
  return isDeliveredAtOnce ? [stepOf(order.createdAt, 'delivered'), ...moves] : moves
}

/**
 * Lists everything that happened to an order and that its owner may see, oldest first. No supplier is named, and no
 * supplier's own words are passed on.
 */
export function listSteps(history: OrderHistory, report: OrderReport | undefined): OrderStep[] {
  const { order, events, attempts } = history
  const wasNewQueued = events[0]?.from === 'queued' || (events.length === 0 && order.status === 'queued')
  const steps = [
    stepOf(order.createdAt, 'paid'),
    ...(wasNewQueued ? [stepOf(order.createdAt, 'waits_for_registration')] : []),
    ...attempts.flatMap(stepsOfAttempt),
    ...stepsOfEvents(history),
    ...(report ? [stepOf(report.reportedAt, 'reported', { reason: report.reason === '' ? null : report.reason })] : []),
    ...(report?.answeredAt ? [stepOf(report.answeredAt, 'answered', { reason: report.answer })] : []),
  ]
  // The sort keeps the order of steps that have the same moment.
  return steps.toSorted((one, other) => one.at.getTime() - other.at.getTime())
}
