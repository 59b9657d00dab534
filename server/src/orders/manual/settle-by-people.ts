import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { formatAmount } from '../../money/amount.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { Attempt } from '../attempt.ts'
import { amountOf, type Order } from '../order.ts'
import { isEnded, isLegalMove, isManualMove } from '../order-life-cycle.ts'
import { packEvidence } from '../packed-evidence.ts'
import type { ProductFacts } from '../product-facts.ts'
import { isManualRoute, isOwnLoopRoute } from '../routes-without-suppliers.ts'
import { creditCommissions } from '../settlement/credit-commissions.ts'
import { moveOrders } from '../settlement/move-orders.ts'
import { lockStock, refundOrders } from '../settlement/refund-orders.ts'
import { refundOf } from '../settlement/return-money.ts'
import {
  decideByTwoPeople,
  orderApprovalKind,
  orderRequestFields,
  type PersonDecision,
  type RefusalExplanation,
  type TwoPersonDecision,
  type TwoPersonResult,
} from './decide-by-two-people.ts'

const SettlementRequest = Type.Object({
  ...orderRequestFields,
  outcome: Type.Union([Type.Literal('completed'), Type.Literal('failed')]),
})
type SettlementRequest = Static<typeof SettlementRequest>
type OpenRow = { route: string; attempt_no: number | null; is_leased: boolean }

async function lockOpenRow(tx: Tx, orderId: string): Promise<OpenRow | undefined> {
  // The stock is locked before the open order, because the stock comes back if the people agree that the order failed.
  await lockStock(tx, [orderId])
  const { rows } = await sql<OpenRow>`
    select route, attempt_no, lease_until > clock_timestamp() as is_leased
    from open_orders where order_id = ${orderId} for update`.execute(tx)
  return rows[0]
}

/** Records the people's decision as one more answer about the attempt, beside the supplier's. */
async function recordDecision(
  tx: Tx,
  { orderId, attemptNo }: Pick<Attempt, 'orderId' | 'attemptNo'>,
  isDelivered: boolean,
  evidence: string,
): Promise<void> {
  const outcome = isDelivered ? 'delivered' : 'failed'
  await tx
    .insertInto('attempt_answers')
    .values({
      order_id: orderId,
      attempt_no: attemptNo,
      source: 'person',
      answer: outcome,
      evidence: packEvidence(evidence),
      supplier_reference: null,
      reported_cost: null,
      reported_commission: null,
      account_name: null,
    })
    .execute()
  await sql`
    update attempts set outcome = ${outcome}, answered_at = clock_timestamp()
    where order_id = ${orderId} and attempt_no = ${attemptNo}`.execute(tx)
}

function explainEnd({ reference, status }: Order, product: ProductFacts): RefusalExplanation {
  if (!isManualMove(product, status, 'refunded')) return { why: `Order ${reference} is ${status} already; that is final.` }
  return {
    why: `Order ${reference} was completed by its purchase: two people can take it back.`,
    command: 'Use `makola order take-back`.',
  }
}

/** The outcomes that people may name for an open order. An empty list: the order ends in another way. */
export function outcomesOf(order: Pick<Order, 'status'>, route: string): SettlementRequest['outcome'][] {
  if (isManualRoute(route) || isOwnLoopRoute(route)) return []
  return (['completed', 'failed'] as const).filter((outcome) => isLegalMove(order.status, outcome))
}

const settlement: TwoPersonDecision<SettlementRequest, OpenRow | undefined> = {
  name: 'order settle',
  schema: SettlementRequest,
  purses: ['commission', 'main'],
  describe: ({ reference, outcome }) => `settle order ${reference} as ${outcome}`,
  lockFacts: lockOpenRow,
  refuse(order, openRow, { outcome }, product) {
    if (isEnded(order.status) || !openRow) return explainEnd(order, product)
    const { reference, status, kind } = order
    if (isManualRoute(openRow.route))
      return {
        why: `Order ${reference} is worked off by people, in the queue of its product.`,
        command: `Use \`makola ${kind}\`.`,
      }
    if (isOwnLoopRoute(openRow.route)) return { why: `Order ${reference} settles by itself, at the latest at its deadline.` }
    if (!outcomesOf(order, openRow.route).includes(outcome))
      return { why: `Order ${reference} is ${status}: it was never sent, so it cannot be ${outcome}.` }
    if (openRow.is_leased)
      return { why: `A worker is speaking with the supplier about order ${reference} right now. Try again in a minute.` }
    return undefined
  },
  foresee: (order, _openRow, { outcome }, product) => ({
    before: order.status,
    after: outcome === 'completed' ? outcome : `refunded, ${formatAmount(amountOf([product], order))} back`,
  }),
  async carryOut(tx, order, openRow, { outcome }, { actor, reason, note, product }) {
    const attemptNo = openRow?.attempt_no ?? null
    const words = note === null ? reason : `${reason}; ${note}`
    if (attemptNo !== null) {
      await recordDecision(tx, { orderId: order.id, attemptNo }, outcome === 'completed', `${actor}: ${words}`)
    }
    const moved = await moveOrders(tx, order.status, outcome, actor, [{ orderId: order.id, reason: 'settled by two people' }])
    if (moved.length !== 1) throw new Error(`order ${order.reference} moved while it was locked`)
    await sql`delete from open_orders where order_id = ${order.id}`.execute(tx)
    if (outcome === 'failed') {
      await refundOrders(tx, [refundOf(product, order)], actor)
    } else {
      await creditCommissions(tx, [{ order, product }])
    }
    return { outcome }
  },
}

export const settlementKind = (products: readonly ProductFacts[]) => orderApprovalKind(products, settlement)

/**
 * Records one person's decision on how an open order ended. When a second person agrees, the order is settled, and refunded if
 * it failed. This waits for no supplier; a later answer is evidence about an ended order.
 */
export function settleByPeople(
  db: Db,
  products: readonly ProductFacts[],
  { outcome, ...decision }: PersonDecision & Pick<SettlementRequest, 'outcome'>,
): Promise<TwoPersonResult> {
  return decideByTwoPeople(db, settlementKind(products), decision, (about) => ({ ...about, outcome }))
}
