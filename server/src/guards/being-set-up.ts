import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'

/** True while no money has moved yet: there is nothing to guard, and whoever sets the installation up chooses its guards. */
export async function isBeingSetUp(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ is_empty: boolean }>`select not exists (select from transfers) as is_empty`.execute(tx)
  return rows[0]?.is_empty ?? true
}
