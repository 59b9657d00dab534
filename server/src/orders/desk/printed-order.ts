import Type from 'typebox'
import { formatAmount, viewAmount } from '../../money/amount.ts'
import { Ghs } from '../../money/ghs.ts'
import { formatGhs } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp, WithWireName } from '../../platform/operations/fields.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { amountOf } from '../order.ts'
import type { ProductFacts } from '../product-facts.ts'
import { describePutAway, type OrderHistory, type ProposalRecord, readOrderHistory } from '../queries/read-order-history.ts'

const text = Type.String()
const textOrNull = Nullable(text)
const momentOrNull = Nullable(Timestamp())

const Open = Type.Object({
  route: text,
  nextStep: OneOf(['ask', 'send']),
  nextStepAt: momentOrNull,
  leaseUntil: momentOrNull,
  holdReason: textOrNull,
})

const PutAway = Type.Object({ month: text, folder: textOrNull, host: textOrNull })

const Attempt = Type.Object({
  attemptNo: Type.Integer(),
  supplier: text,
  outgoingReference: text,
  supplierReference: textOrNull,
  createdAt: Timestamp(),
  sendBeforeAt: WithWireName('send_before', Timestamp()),
  outcome: textOrNull,
  asks: Type.Integer(),
  answers: Type.Array(Type.Object({ at: Timestamp(), source: text, answer: text, evidence: text })),
})

const Proposal = Type.Object({
  approvalId: Uuid(),
  state: WithWireName('status', text),
  outcome: text,
  amountPesewas: Nullable(Ghs()),
  evidence: text,
  proposedBy: text,
  proposedAt: Timestamp(),
  proposedOsUser: textOrNull,
  confirmedBy: textOrNull,
  confirmedOsUser: textOrNull,
  note: textOrNull,
})

/** An order with its history, as commands print it. */
export const PrintedOrder = Type.Object({
  id: WithWireName('order_id', Uuid()),
  reference: text,
  accountId: Uuid(),
  kind: text,
  status: text,
  price: Type.Number(),
  unit: OneOf(['GHS', 'credits']),
  recipient: text,
  details: Type.Unknown(),
  createdAt: Timestamp(),
  updatedAt: Timestamp(),
  putAway: Type.Union([PutAway, Type.Null()]),
  open: Type.Union([Open, Type.Null()]),
  events: Type.Array(Type.Object({ at: Timestamp(), from: text, to: text, reason: textOrNull, actor: text })),
  attempts: Type.Array(Attempt),
  contradictions: Type.Array(Type.Object({ at: Timestamp(), evidence: text })),
  proposals: Type.Array(Proposal),
})

/** @throws OperatorRequestError when there is no such order */
export async function mustReadHistory(db: Db, products: readonly ProductFacts[], reference: string): Promise<OrderHistory> {
  const history = await readOrderHistory(db, products, reference)
  if (!history) throw new OperatorRequestError(`There is no order with the reference or id ${JSON.stringify(reference)}.`)
  return history
}

/** Reads an order for `PrintedOrder`. `paid` is its price for people. */
export async function readPrinted(db: Db, products: readonly ProductFacts[], reference: string) {
  const { order, open, putAway = null, ...history } = await mustReadHistory(db, products, reference)
  const price = amountOf(products, order)
  const { amount, unit } = viewAmount(price)
  const nextStep = open?.isAskedNext ? ('ask' as const) : ('send' as const)
  return {
    ...order,
    ...history,
    putAway,
    price: amount,
    unit,
    paid: formatAmount(price),
    open: open ? { ...open, nextStep } : null,
  }
}

export type ReadOrder = Awaited<ReturnType<typeof readPrinted>>

function describeOpen({ route, nextStep, nextStepAt, holdReason }: NonNullable<ReadOrder['open']>): string {
  if (nextStepAt === null) return `  waits for a person on ${route}`
  return `  next: ${nextStep} on ${route} at ${nextStepAt.toISOString()}${holdReason ? ` (${holdReason})` : ''}`
}

function describeProposal({ proposedBy, outcome, amountPesewas, evidence, confirmedBy, state }: ProposalRecord): string {
  const amount = amountPesewas === null ? '' : ` by ${formatGhs(amountPesewas)}`
  return `  ${proposedBy} says ${outcome}${amount} (${evidence}), ${confirmedBy === null ? state : `confirmed by ${confirmedBy}`}`
}

/** Describes an order and its history for people. */
export function describePrinted(order: ReadOrder): string {
  const lines = [
    `${order.reference}  ${order.kind}  ${order.status}  ${order.paid}  to ${order.recipient}`,
    `  order ${order.id} of account ${order.accountId}, placed ${order.createdAt.toISOString()}`,
    ...(order.putAway ? [`  moves, attempts and money: ${describePutAway(order.putAway)}`] : []),
    ...(order.open ? [describeOpen(order.open)] : []),
    ...order.events.map(
      ({ at, from, to, actor, reason }) => `  ${at.toISOString()}  ${from} → ${to}  ${actor}${reason ? `: ${reason}` : ''}`,
    ),
    ...order.attempts.flatMap(({ attemptNo, supplier, outgoingReference, outcome, asks, answers }) => [
      `  attempt ${attemptNo} with ${supplier} as ${outgoingReference}: ${outcome ?? 'no answer yet'}, asked ${asks} times`,
      ...answers.map(({ at, source, answer, evidence }) => `    ${at.toISOString()}  ${source}: ${answer}  ${evidence}`),
    ]),
    ...order.proposals.map(describeProposal),
    ...order.contradictions.map(({ at, evidence }) => `  ${at.toISOString()}  CONTRADICTION: ${evidence}`),
  ]
  return lines.join('\n')
}
