import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'

/**
 * Locks the stock that orders may give back when this transaction refunds them. Locked after the wallets and before the
 * open orders, as everywhere.
 */
export async function lockStock(tx: Tx, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return
  await sql`select lock_stock_of(${orderIds}::uuid[])`.execute(tx)
}
