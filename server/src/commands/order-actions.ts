import { readConfig } from '../config.ts'
import { type Amount, formatAmount, viewAmount } from '../money/amount.ts'
import { formatGhs, ghs, pesewas } from '../money/pesewas.ts'
import { adjustByPeople } from '../orders/manual/adjust-by-people.ts'
import { askOrderNow } from '../orders/manual/ask-order-now.ts'
import type { PeoplesResult, PersonDecision } from '../orders/manual/decide-by-two-people.ts'
import { explainNoRefund, refundByPerson } from '../orders/manual/refund-by-person.ts'
import { settleByPeople } from '../orders/manual/settle-by-people.ts'
import { takeBackByPeople } from '../orders/manual/take-back-by-people.ts'
import { amountOf, type Order } from '../orders/order.ts'
import { productOf } from '../orders/product-facts.ts'
import { type OrderHistory, readOrderHistory } from '../orders/queries/read-order-history.ts'
import type { Db } from '../platform/database/database.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'
import { products } from '../products/products.ts'
import { CommandError } from './frame/command-error.ts'
import { describeConfirmed } from './frame/describe-confirmed.ts'
import { operatorName, personOf } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { readSignedGhs, readText } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type OrderSettleOptions = { as: 'completed' | 'failed'; evidence: string; by: string }
export type OrderTakeBackOptions = { evidence: string; by: string }
export type OrderAdjustOptions = { amount: string; evidence: string; by: string }
export type OrderRefundOptions = { by?: string }

/** A price for programs, with its unit. */
export function viewPrice(price: Amount) {
  const { amount, unit } = viewAmount(price)
  return { price: amount, unit }
}

function viewHistory({ order, open, events, attempts, contradictions, proposals }: OrderHistory) {
  return {
    order_id: order.id,
    reference: order.reference,
    account_id: order.accountId,
    kind: order.kind,
    status: order.status,
    ...viewPrice(amountOf(products, order)),
    recipient: order.recipient,
    details: order.details,
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
    open: open
      ? {
          route: open.route,
          next_step: open.isAskedNext ? 'ask' : 'send',
          next_step_at: open.nextStepAt?.toISOString() ?? null,
          lease_until: open.leaseUntil?.toISOString() ?? null,
          hold_reason: open.holdReason,
        }
      : null,
    events: events.map(({ at, ...event }) => ({ at: at.toISOString(), ...event })),
    attempts: attempts.map((attempt) => ({
      attempt_no: attempt.attemptNo,
      supplier: attempt.supplier,
      outgoing_reference: attempt.outgoingReference,
      supplier_reference: attempt.supplierReference,
      created_at: attempt.createdAt.toISOString(),
      send_before: attempt.sendBeforeAt.toISOString(),
      outcome: attempt.outcome,
      asks: attempt.asks,
      answers: attempt.answers.map(({ at, ...answer }) => ({ at: at.toISOString(), ...answer })),
    })),
    contradictions: contradictions.map(({ at, evidence }) => ({ at: at.toISOString(), evidence })),
    proposals: proposals.map((proposal) => ({
      approval_id: proposal.approvalId,
      status: proposal.state,
      outcome: proposal.outcome,
      amount: proposal.amountPesewas === null ? null : ghs(proposal.amountPesewas),
      evidence: proposal.evidence,
      proposed_by: proposal.proposedBy,
      proposed_at: proposal.proposedAt.toISOString(),
      proposed_os_user: proposal.proposedOsUser,
      confirmed_by: proposal.confirmedBy,
      confirmed_os_user: proposal.confirmedOsUser,
      note: proposal.note,
    })),
  }
}

type HistoryView = ReturnType<typeof viewHistory>

function describeProposal(proposal: HistoryView['proposals'][number]): string {
  const amount = proposal.amount === null ? '' : ` by GHS ${proposal.amount.toFixed(2)}`
  const end = proposal.confirmed_by === null ? proposal.status : `confirmed by ${proposal.confirmed_by}`
  return `  ${proposal.proposed_by} says ${proposal.outcome}${amount} (${proposal.evidence}), ${end}`
}

function describeHistory({ order }: OrderHistory, view: HistoryView): string {
  const lines = [
    `${view.reference}  ${view.kind}  ${view.status}  ${formatAmount(amountOf(products, order))}  to ${view.recipient}`,
    `  order ${view.order_id} of account ${view.account_id}, placed ${view.created_at}`,
    ...(view.open
      ? [
          view.open.next_step_at === null
            ? `  waits for a person on ${view.open.route}`
            : `  next: ${view.open.next_step} on ${view.open.route} at ${view.open.next_step_at}${view.open.hold_reason ? ` (${view.open.hold_reason})` : ''}`,
        ]
      : []),
    ...view.events.map(
      (event) => `  ${event.at}  ${event.from} → ${event.to}  ${event.actor}${event.reason ? `: ${event.reason}` : ''}`,
    ),
    ...view.attempts.flatMap((attempt) => [
      `  attempt ${attempt.attempt_no} with ${attempt.supplier} as ${attempt.outgoing_reference}: ${attempt.outcome ?? 'no answer yet'}, asked ${attempt.asks} times`,
      ...attempt.answers.map((answer) => `    ${answer.at}  ${answer.source}: ${answer.answer}  ${answer.evidence}`),
    ]),
    ...view.proposals.map(describeProposal),
    ...view.contradictions.map(({ at, evidence }) => `  ${at}  CONTRADICTION: ${evidence}`),
  ]
  return lines.join('\n')
}

async function mustFind(db: Db, reference: string): Promise<OrderHistory> {
  const history = await readOrderHistory(db, products, reference)
  if (!history) throw new CommandError(`There is no order with the reference or id ${JSON.stringify(reference)}.`)
  return history
}

/** @param more fields of the JSON document besides the order */
async function printOrder(db: Db, reference: string, lead?: string, more: Record<string, string> = {}): Promise<void> {
  const history = await mustFind(db, reference)
  const view = viewHistory(history)
  printResult({ ...more, orders: [view] }, [...(lead === undefined ? [] : [lead]), describeHistory(history, view)].join('\n'))
}

export async function runOrderShow(reference: string): Promise<void> {
  await withDatabase(readConfig(), (db) => printOrder(db, reference))
}

export async function runOrderAsk(reference: string): Promise<void> {
  await withDatabase(readConfig(), async (db) => {
    const { order } = await mustFind(db, reference)
    const isOpen = await askOrderNow(db, order, operatorName())
    if (!isOpen)
      throw new CommandError(
        `Order ${order.reference} is ${order.status}: it has ended or waits for a person, so there is nothing to ask.`,
      )
    await printOrder(db, reference, 'The worker takes the next step now.')
  })
}

type PeoplesLeads = { readonly proposed: string; done(order: Order): string }

/** Carries out one person's decision about an order, and prints the result. */
async function printDecision(
  reference: string,
  options: { evidence: string; by: string },
  say: (db: Db, decision: PersonDecision) => Promise<PeoplesResult>,
  leads: PeoplesLeads,
): Promise<void> {
  const evidence = readText('--evidence', options.evidence)
  const person = personOf(readText('--by', options.by))
  await withDatabase(readConfig(), async (db) => {
    const { order } = await mustFind(db, reference)
    const result = await say(db, { orderId: order.id, evidence, person })
    if (result.state === 'refused') throw new OperatorRequestError(result.why, result)
    const { state, approvalId } = result
    const wait = `A second person confirms it within 7 days with \`makola approvals confirm ${approvalId}\`, or the same command and another --by.`
    const lead =
      state === 'proposed'
        ? `Proposed by ${person.by}: ${leads.proposed}. ${wait}`
        : `${leads.done(result.order)} ${await describeConfirmed(db, approvalId)}`
    await printOrder(db, reference, lead, { approval_id: approvalId, status: state === 'proposed' ? 'pending' : 'done' })
  })
}

export async function runOrderSettle(reference: string, options: OrderSettleOptions): Promise<void> {
  const outcome = options.as
  await printDecision(reference, options, (db, decision) => settleByPeople(db, products, { ...decision, outcome }), {
    proposed: outcome,
    done: (order) => `Settled: the order is ${order.status}.`,
  })
}

export async function runOrderTakeBack(reference: string, options: OrderTakeBackOptions): Promise<void> {
  await printDecision(reference, options, (db, decision) => takeBackByPeople(db, products, decision), {
    proposed: 'take it back',
    done: (order) =>
      `Taken back: ${formatAmount(amountOf(products, order))} went back. The vouchers stay with the order and are never sold again.`,
  })
}

export async function runOrderAdjust(reference: string, options: OrderAdjustOptions): Promise<void> {
  const amountPesewas = readSignedGhs('--amount', options.amount)
  const amount = formatGhs(pesewas(Math.abs(amountPesewas)))
  const way = amountPesewas > 0 ? 'to' : 'from'
  await printDecision(reference, options, (db, decision) => adjustByPeople(db, products, { ...decision, amountPesewas }), {
    proposed: `${amount} ${way} the reseller`,
    done: (order) => `Adjusted: ${amount} went ${way} the main wallet. The order is still ${order.status}.`,
  })
}

export async function runOrderRefund(reference: string, options: OrderRefundOptions): Promise<void> {
  const by = options.by === undefined ? operatorName() : readText('--by', options.by)
  await withDatabase(readConfig(), async (db) => {
    const { order } = await mustFind(db, reference)
    const product = productOf(products, order.kind)
    const isRefunded = await refundByPerson(db, product, order, by)
    if (!isRefunded) {
      const whyNot = explainNoRefund(product, order)
      throw new OperatorRequestError(whyNot.why, whyNot)
    }
    await printOrder(db, reference, `Refunded ${formatAmount(amountOf(products, order))}.`)
  })
}
