import Type from 'typebox'
import { formatAmount } from '../../money/amount.ts'
import type { Db } from '../../platform/database/database.ts'
import { amountOf, type Order } from '../order.ts'
import { isManualMove } from '../order-life-cycle.ts'
import type { ProductFacts } from '../product-facts.ts'
import { findPutAway, type PutAwayHistory } from '../queries/read-order-history.ts'
import { writeMoves } from '../settlement/move-orders.ts'
import { refundOf, returnMoney } from '../settlement/return-money.ts'
import {
  decideByTwoPeople,
  type OrderRequest,
  orderApprovalKind,
  orderRequestFields,
  type PersonDecision,
  type RefusalExplanation,
  type TwoPersonDecision,
  type TwoPersonResult,
} from './decide-by-two-people.ts'

/** The reason why the order cannot be taken back, and the command that helps instead. */
function refuseOrder({ status, reference }: Order, product: ProductFacts): RefusalExplanation | undefined {
  if (isManualMove(product, status, 'refunded')) return undefined
  if (status === 'refunded') return { why: `Order ${reference} is refunded already.` }
  const rule = `Order ${reference} cannot be taken back: that is for orders which their purchase completed, such as vouchers.`
  if (status === 'failed') return { why: `${rule} It failed: it is refunded.`, command: 'Use `makola order refund`.' }
  if (status === 'completed' || status === 'cancelled') return { why: `${rule} It is ${status}; that is final.` }
  return { why: `${rule} It is ${status}.`, command: 'See `makola order show`.' }
}

const refusePutAway = ({ reference }: Order, { month }: PutAwayHistory): RefusalExplanation => ({
  why: `Order ${reference} cannot be taken back: its history is put away. Bring the month ${month} back first.`,
  command: `Run \`makola archive bring-back ${month}\`.`,
})

const takeBack: TwoPersonDecision<OrderRequest, PutAwayHistory | undefined> = {
  name: 'order take-back',
  schema: Type.Object(orderRequestFields),
  purses: ['main'],
  describe: ({ reference }) => `take order ${reference} back and refund it`,
  // The lock on the wallet is enough, because no other code moves an order that its own purchase completed.
  lockFacts: findPutAway,
  refuse: (order, putAway, _request, product) => (putAway ? refusePutAway(order, putAway) : refuseOrder(order, product)),
  foresee: (order, _facts, _request, product) => ({
    before: order.status,
    after: `refunded, ${formatAmount(amountOf([product], order))} back`,
  }),
  async carryOut(tx, order, _facts, _request, { actor, product }) {
    const step = { from: order.status, to: 'refunded', actor } as const
    const moved = await writeMoves(tx, step, [{ orderId: order.id, reason: 'taken back by two people' }])
    if (moved.length !== 1) throw new Error(`order ${order.reference} moved while its wallet was locked`)
    await returnMoney(tx, [refundOf(product, order)])
    return {}
  },
}

export const takeBackKind = (products: readonly ProductFacts[]) => orderApprovalKind(products, takeBack)

/**
 * Records one person's decision to take back an order that its purchase completed (decision F5). When a second person
 * agrees, the order becomes `refunded` and its price goes back, once. The voucher stays with the order for ever:
 * one that somebody has seen is never sold again.
 */
export function takeBackByPeople(db: Db, products: readonly ProductFacts[], decision: PersonDecision): Promise<TwoPersonResult> {
  return decideByTwoPeople(db, takeBackKind(products), decision, (about) => about)
}
