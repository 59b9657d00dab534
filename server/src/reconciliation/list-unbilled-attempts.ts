import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import { type ReconciledAttempt, type ReconcilingWith, readReconciledAttempts } from './read-reconciled-attempts.ts'

const pageSize = 1_000

/** Lists the delivered attempts of a period that a statement does not bill, the oldest first. Reads them in pages. */
export async function listUnbilledAttempts(
  tx: Tx,
  expecting: ReconcilingWith,
  period: { readonly from: Date; readonly to: Date },
  billed: ReadonlySet<string>,
): Promise<ReconciledAttempt[]> {
  await sql`
    declare delivered no scroll cursor for
    select order_id, attempt_no from attempts
    where supplier = ${expecting.supplier} and outcome = 'delivered'
      and created_at >= ${period.from} and created_at <= ${period.to}
    order by created_at, order_id`.execute(tx)
  const found: ReconciledAttempt[] = []
  for (;;) {
    const { rows } = await sql<{ order_id: string; attempt_no: number }>`fetch ${sql.lit(pageSize)} from delivered`.execute(tx)
    const wanted = rowsOf(rows, { order_id: ['uuid', (row) => row.order_id], attempt_no: ['integer', (row) => row.attempt_no] })
    const page = await readReconciledAttempts(tx, expecting, sql`select * from ${wanted.as('page')}`)
    found.push(...page.filter((attempt) => !billed.has(attempt.outgoingReference)))
    if (rows.length < pageSize) break
  }
  await sql`close delivered`.execute(tx)
  return found
}
