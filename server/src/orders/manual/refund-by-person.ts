import { formatGhs } from '../../money/pesewas.ts'
import { lockWallets } from '../../money/wallets.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import type { Order, SoldBy } from '../order.ts'
import { isManualMove } from '../order-life-cycle.ts'
import type { ProductFacts } from '../product-facts.ts'
import { lockStock, refundOrders } from '../settlement/refund-orders.ts'
import { refundOf } from '../settlement/return-money.ts'
import type { RefusalExplanation } from './decide-by-two-people.ts'

/**
 * Refunds a failed order that was not refunded automatically.
 * @returns false when the order is not `failed`, or was paid in credits, which come back message by message
 */
export async function refundByPerson(db: Db, product: SoldBy, order: Order, actor: string): Promise<boolean> {
  if (product.unit === 'credits') return false
  return inTransaction(db, async (tx) => {
    await lockWallets(tx, [{ accountId: order.accountId, purse: 'main' }])
    await lockStock(tx, [order.id])
    const refund = refundOf(product, order)
    const refunded = await refundOrders(tx, [refund], actor)
    if (refunded.length === 0) return false
    await appendOperatorLog(tx, {
      actor,
      action: 'order refund',
      subject: order.reference,
      details: { amount: formatGhs(refund.pricePesewas), before: 'failed', after: 'refunded' },
    })
    return true
  })
}

/** The reason why `refundByPerson` did not refund this order, and the command that helps instead. */
export function explainNoRefund(product: ProductFacts, { reference, status }: Order): RefusalExplanation {
  if (status === 'refunded') return { why: `Order ${reference} is refunded already.` }
  if (product.unit === 'credits') return { why: `Order ${reference} was paid in credits, which come back message by message.` }
  const why = `Order ${reference} is ${status}; only a failed order can be refunded.`
  if (!isManualMove(product, status, 'refunded')) return { why }
  return { why: `${why} Two people can take it back.`, command: 'Use `makola order take-back`.' }
}
