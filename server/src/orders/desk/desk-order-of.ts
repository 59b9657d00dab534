import { viewAmount } from '../../money/amount.ts'
import { type ProductFacts, productOf } from '../product-facts.ts'
import type { ListedOrder } from '../queries/list-orders.ts'
import { whyOf } from './why-of.ts'

export function deskOrderOf(products: readonly ProductFacts[], order: ListedOrder) {
  const { amount: price, unit } = viewAmount(order.price)
  return {
    ...order,
    orderId: order.id,
    account: order.account ?? order.accountId,
    accountName: order.accountName ?? order.accountId,
    product: order.kind,
    title: productOf(products, order.kind).title,
    price,
    unit,
    costIsEstimate: order.isCostEstimated,
    why: whyOf(order) ?? null,
  }
}
