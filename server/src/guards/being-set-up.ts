import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'

/**
 * Whether the installation is still being set up: no money has moved yet, so there is nothing to guard, and whoever
 * sets it up chooses what guards it.
 */
export async function isBeingSetUp(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ is_empty: boolean }>`select not exists (select from transfers) as is_empty`.execute(tx)
  return rows[0]?.is_empty ?? true
}
