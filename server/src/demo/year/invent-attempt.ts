import { commissionTermsOf } from '../../money/commission-terms.ts'
import { pesewas } from '../../money/pesewas.ts'
import { splitCommission } from '../../money/split-commission.ts'
import { outgoingReference } from '../../orders/dispatch/outgoing-reference.ts'
import type { DemoAnswer, DemoAttempt } from './demo-rows.ts'
import type { DemoWorld } from './demo-world.ts'
import type { InventedOrder } from './invent-order.ts'

/** Cost and commission that a supplier reports, in pesewas; null when it reports none. */
export type Reported = { readonly cost: number | null; readonly commission: number | null }

export const reportsNothing: Reported = { cost: null, commission: null }

/** `no` counts the order's attempts, `supplierNo` those at this supplier. */
type Beginning = {
  readonly at: number
  readonly no: number
  readonly supplier: string
  readonly supplierNo: number
  readonly expectedCost: number | null
}

export type InventedAttempt = {
  readonly id: string
  readonly supplier: string
  /** The supplier has answered, by a call or a callback, or a person has found out the outcome. */
  noteAnswer(at: number, source: DemoAnswer['source'], answer: string, reported?: Reported): boolean
}

const evidenceOf: Readonly<Record<string, string>> = {
  accepted: 'HTTP 200 {"status":"success","message":"Order received"}',
  delivered: 'HTTP 200 {"status":"completed"}',
  failed: 'HTTP 200 {"status":"failed","message":"Could not be delivered"}',
  unknown: 'no answer within 15 s',
  never_received: 'HTTP 404 {"message":"Transaction not found"}',
  rejected_recipient: 'HTTP 400 {"message":"Invalid phone number"}',
  rejected_platform: 'HTTP 402 {"message":"Insufficient balance"}',
  unreachable: 'connect ECONNREFUSED',
}

/** Begins an attempt, the first of which moves the order to `processing`. Undefined when that lies after the history's end. */
export function inventAttempt(world: DemoWorld, order: InventedOrder, beginning: Beginning): InventedAttempt | undefined {
  const { at, no, supplier, supplierNo, expectedCost } = beginning
  const { rows, chance } = world
  const orderId = order.sale.id
  if (order.status === 'pending') order.move(at, 'processing', null)
  const row: DemoAttempt = {
    id: chance.idAt(at),
    orderId,
    no,
    supplier,
    outgoingReference: outgoingReference(orderId, supplier, supplierNo),
    at,
    outcome: null,
    supplierReference: null,
    answeredAt: null,
    asks: 0,
    expectedCost,
  }
  if (!order.step(at, () => void rows.attempts.push(row))) return undefined
  return {
    id: row.id,
    supplier,
    noteAnswer: (answeredAt, source, answer, reported = reportsNothing) =>
      order.step(answeredAt, () => {
        const isTaken = answer === 'accepted' || answer === 'delivered'
        row.supplierReference ??= isTaken ? `${supplier.slice(0, 2).toUpperCase()}-${chance.hex(10)}` : null
        row.outcome = answer
        row.answeredAt = answeredAt
        if (source === 'status') row.asks += 1
        const { supplierReference } = row
        const money = { reportedCost: reported.cost, reportedCommission: reported.commission }
        const evidence = source === 'person' ? `ama and kofi: the supplier's list says ${answer}` : (evidenceOf[answer] ?? answer)
        rows.answers.push({ attemptId: row.id, source, answer, evidence, supplierReference, ...money, at: answeredAt })
      }),
  }
}

/** Completes an order and credits its commission. */
export function completeOrder(
  world: DemoWorld,
  order: InventedOrder,
  end: { readonly at: number; readonly reason: string; readonly actor?: string; readonly reportedCommission: number | null },
): void {
  const { sale } = order
  if (!order.move(end.at, 'completed', end.reason, end.actor)) return
  const terms = commissionTermsOf(sale.details as Record<string, unknown>)
  if (!terms) return
  const { base, caller, platform, source } = splitCommission(pesewas(sale.price), end.reportedCommission, terms)
  const { id: orderId, account } = sale
  world.rows.commissions.push({ orderId, accountId: account.id, base, caller, platform, source, at: end.at })
  if (caller === 0) return
  const transfer = { causeId: orderId, kind: 'commission', accountId: account.id, amount: caller } as const
  const purses = { fromPurse: 'commission_expense', toPurse: 'commission' } as const
  world.agenda.add(end.at, () => world.post(end.at, { ...transfer, ...purses }))
}
