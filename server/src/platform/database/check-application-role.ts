import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The tables whose rows may never be changed, such as the record of money and the history of orders. */
export const historyTables = [
  'transfers',
  'order_events',
  'attempt_answers',
  'operator_log',
  'wallet_credits',
  'wallet_corrections',
  'chain_blocks',
] as const

/** Refuses to start on a connection that could change history: the owner's, or an administrator's. */
export async function checkApplicationRole(db: Db): Promise<void> {
  const { rows } = await sql<{ role: string; name: string }>`
    select current_user as role, name
    from unnest(${[...historyTables]}::text[]) as name
    where has_any_column_privilege(name, 'update') or has_table_privilege(name, 'delete, truncate, trigger')`.execute(db)
  const [first] = rows
  if (!first) return
  throw new Error(
    `The database role ${first.role} may change the history in ${rows.map((row) => row.name).join(', ')}. ` +
      'Makola serves only as a role that cannot, such as makola_app, which `makola migrate` makes.',
  )
}
