import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** A difference between a statement and our books, with all that a person needs to explain it. Amounts in pesewas. */
export type ListedDifference = {
  readonly id: string
  readonly supplier: string
  readonly kind: 'ours_only' | 'theirs_only' | 'amount_differs'
  readonly why: string | null
  readonly reference: string
  readonly order_id: string | null
  readonly order_reference: string | null
  readonly order_status: string | null
  readonly amount_theirs: number | null
  readonly amount_ours: number | null
  /** When the line was billed. For a delivery that was not billed: when it was sent. */
  readonly at: Date | null
  readonly file_name: string
  readonly line_no: number | null
  readonly found_at: Date
  readonly assigned_to: string | null
  readonly closed_at: Date | null
  readonly closed_by: string | null
  readonly close_reason: string | null
}

export type DifferenceQuery = {
  readonly supplier?: string
  readonly isOpen?: boolean
  /** The id of the last difference of the page before. */
  readonly after?: string
  readonly limit: number
}

/** Lists differences, newest first. */
export async function listDifferences(db: Db, query: DifferenceQuery): Promise<ListedDifference[]> {
  const { supplier = null, isOpen = false, after = null, limit } = query
  const { rows } = await sql<ListedDifference>`
    select difference.id, difference.supplier, difference.kind, difference.why, difference.reference,
      orders.id as order_id, orders.reference as order_reference, orders.status as order_status,
      amount_theirs, amount_ours, difference.at, file_name, line_no,
      found_at, assigned_to, closed_at, closed_by, close_reason
    from reconciliation_differences as difference
    join supplier_statements as statement on statement.id = difference.statement_id
    left join attempts on attempts.id = difference.attempt_id
    left join orders on orders.id = attempts.order_id
    where (${supplier}::text is null or difference.supplier = ${supplier})
      and (not ${isOpen}::boolean or closed_at is null)
      and (${after}::uuid is null or (found_at, difference.id) < (
        select last.found_at, last.id from reconciliation_differences as last where last.id = ${after}))
    order by found_at desc, difference.id desc
    limit ${limit}`.execute(db)
  return rows
}
