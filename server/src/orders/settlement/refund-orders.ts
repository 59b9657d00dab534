import type { Tx } from '../../platform/database/database.ts'
import { giveBackStock } from './give-back-stock.ts'
import { moveOrders } from './move-orders.ts'
import { type Refund, returnMoney } from './return-money.ts'

export type { Refund } from './return-money.ts'

/**
 * Refunds failed orders in this transaction: moves them to `refunded`, their price from the platform's sales back into
 * the main wallets, and their limited packages back into stock. A second caller finds the order no longer `failed` and
 * moves nothing; besides, the ledger's key refuses a second refund. The wallets and the stock (`lockStock`) must be
 * locked before the orders.
 * @returns the ids of the orders that were refunded now
 */
export async function refundOrders(tx: Tx, refunds: readonly Refund[], actor: string): Promise<string[]> {
  const moves = refunds.map(({ orderId }) => ({ orderId, reason: null }))
  const moved = new Set(await moveOrders(tx, 'failed', 'refunded', actor, moves))
  await returnMoney(
    tx,
    refunds.filter(({ orderId }) => moved.has(orderId)),
  )
  await giveBackStock(tx, [...moved])
  return [...moved]
}
