import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../platform/database/epoch.ts'

/**
 * Gives back the stock of limited packages that orders took (decision N7b: stock comes back with the refund). Call it
 * only for orders that this transaction moved to `refunded`, which happens once per order. The database function knows
 * which packages those are.
 */
export async function giveBackStock(tx: Tx, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return
  const { rows } = await sql<{ is_back: boolean }>`select give_back_stock_of(${orderIds}::uuid[]) as is_back`.execute(tx)
  // A package that was sold out is for sale again, so every process must reload its list.
  if (rows[0]?.is_back) await raiseCatalogueVersion(tx)
}
