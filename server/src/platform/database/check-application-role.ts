import { sql } from 'kysely'
import type { Db } from './database.ts'

/** What must never be rewritten: the record of money, and what happened to orders. */
export const historyTables = [
  'transfers',
  'order_events',
  'attempt_answers',
  'operator_log',
  'wallet_credits',
  'wallet_corrections',
] as const

/** Refuses to serve on a connection that could change history: that of the owner, or of an administrator. */
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
