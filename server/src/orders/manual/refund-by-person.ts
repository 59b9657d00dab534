import { lockWallets } from '../../money/wallets.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { amountOf, type Order } from '../order.ts'
import { lockStock } from '../settlement/lock-stock.ts'
import { refundOrders } from '../settlement/refund-orders.ts'
import { refundOf } from '../settlement/return-money.ts'

/**
 * Refunds an order that failed and was not refunded by itself.
 *
 * @returns false when it is not `failed` (any more), or was paid in credits, which come back text by text
 */
export async function refundByPerson(db: Db, order: Order, actor: string): Promise<boolean> {
  if (amountOf(order).unit === 'credits') return false
  return inTransaction(db, async (tx) => {
    await lockWallets(tx, [{ accountId: order.accountId, purse: 'main' }])
    await lockStock(tx, [order.id])
    const refund = refundOf(order)
    const refunded = await refundOrders(tx, [refund], actor)
    if (refunded.length === 0) return false
    await appendOperatorLog(tx, {
      actor,
      action: 'order refund',
      subject: order.reference,
      details: { amount: refund.pricePesewas },
    })
    return true
  })
}
