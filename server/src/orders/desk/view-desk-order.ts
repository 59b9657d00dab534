import { viewAmount } from '../../money/amount.ts'
import { ghs } from '../../money/pesewas.ts'
import { type ProductFacts, productOf } from '../product-facts.ts'
import type { ListedOrder } from '../queries/list-orders.ts'
import { whyOf } from './why-of.ts'

export function viewDeskOrder(products: readonly ProductFacts[], order: ListedOrder) {
  const { amount, unit } = viewAmount(order.price)
  const why = whyOf(order)
  return {
    order_id: order.id,
    reference: order.reference,
    account_id: order.accountId,
    account: order.account ?? order.accountId,
    account_name: order.accountName ?? order.accountId,
    product: order.kind,
    title: productOf(products, order.kind).title,
    network: order.network,
    variety: order.variety,
    recipient: order.recipient,
    price: amount,
    unit,
    status: order.status,
    supplier: order.supplier,
    route: order.route,
    cost: order.costPesewas === null ? null : ghs(order.costPesewas),
    cost_is_estimate: order.isCostEstimated,
    is_stuck: order.isStuck,
    is_contradicted: order.isContradicted,
    why: why && { code: why.code, since: why.since.toISOString() },
    next_step_at: order.nextStepAt?.toISOString() ?? null,
    created_at: order.createdAt.toISOString(),
  }
}
