import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../platform/database/epoch.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { ProductFacts } from '../product-facts.ts'
import { moveOrders } from './move-orders.ts'
import { type Refund, returnMoney } from './return-money.ts'

export type { Refund } from './return-money.ts'

/**
 * Locks the stock that orders may give back when this transaction refunds them. All transactions lock it after the wallets and
 * before the open orders.
 */
export async function lockStock(tx: Tx, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return
  await sql`select lock_stock_of(${orderIds}::uuid[])`.execute(tx)
}

/** True when a failed order of this product is refunded at once (decision S2). Else it waits for a person. */
export async function refundsAutomatically(settings: Settings, { refundsFailedOrders }: ProductFacts): Promise<boolean> {
  return refundsFailedOrders === 'always' || settings.read(refundsFailedOrders)
}

/**
 * Gives back the stock of limited packages that orders took (decision N7b: stock comes back with the refund). Call it
 * only for orders that this transaction moved to `refunded`, which happens once per order. The database function knows
 * which packages those are.
 */
async function giveBackStock(tx: Tx, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return
  const { rows } = await sql<{ is_back: boolean }>`select give_back_stock_of(${orderIds}::uuid[]) as is_back`.execute(tx)
  // A package that was sold out is for sale again, so every process must reload its list.
  if (rows[0]?.is_back) await raiseCatalogueVersion(tx)
}

/**
 * Refunds failed orders in this transaction: moves them to `refunded`, their price from the platform's sales back into the main
 * wallets, and their limited packages back into stock. A second call finds the order no longer `failed` and moves nothing. The
 * primary key of `transfers` refuses a second refund, too. The wallets and the stock (`lockStock`) must be locked before the
 * orders.
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
