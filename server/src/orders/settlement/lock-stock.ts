import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'

/**
 * Locks the stock that orders may give back when they are refunded in this transaction. Between the wallets and the
 * open orders, as the order of locks wants it.
 */
export async function lockStock(tx: Tx, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return
  await sql`select lock_stock_of(${orderIds}::uuid[])`.execute(tx)
}
