import type { Outcome } from './client.ts'
import type { AnsweredOrder, Call } from './journal.ts'

/** An order of any product as its answer writes it: the price stands under another name in each. */
type WrittenOrder = { order_id: string; reference: string; price?: number; airtime_amount?: number; amount?: number }

function readOrder(call: Call, order: WrittenOrder): AnsweredOrder {
  const price = order.price ?? order.airtime_amount ?? order.amount
  const ownName = call.path === '/utilities/pay' ? call.orders[0]?.reference : undefined
  return {
    orderId: order.order_id,
    reference: order.reference,
    name: ownName ?? order.reference,
    pricePesewas: price === undefined ? undefined : Math.round(price * 100),
  }
}

/** The orders that an answer acknowledges; none when it is another one. */
export function readAnsweredOrders(call: Call, outcome: Outcome): readonly AnsweredOrder[] {
  if (outcome.class !== 'accepted' || outcome.kind === 'failure') return []
  const data = outcome.body?.data ?? {}
  const orders = (call.path === '/data/bulk' ? data['orders'] : [data]) as WrittenOrder[]
  return orders.map((order) => readOrder(call, order))
}
