import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** A difference between a statement and our books, with the facts that explain it. Amounts in pesewas. */
export type ListedDifference = {
  readonly id: string
  readonly supplier: string
  readonly kind: 'ours_only' | 'theirs_only' | 'amount_differs'
  readonly why: string | null
  readonly reference: string
  readonly order_id: string | null
  readonly order_reference: string | null
  readonly order_status: string | null
  /** The supplier's own reference of the attempt. Null: the supplier never named one. */
  readonly supplier_reference: string | null
  readonly amount_theirs: number | null
  readonly amount_ours: number | null
  /** The excess of the supplier's charge over our books; below 0: it charged too little. Null: our books know no amount. */
  readonly amount_by: number | null
  /** Time of the billing. For a delivery that was not billed: time of the send. */
  readonly at: Date | null
  /** The commission by the statement, and by our books: the whole commission, of which the reseller got a share. */
  readonly commission_theirs: number | null
  readonly commission_ours: number | null
  readonly statement_id: string
  readonly file_name: string
  readonly line_no: number | null
  readonly found_at: Date
  readonly assigned_to: string | null
  readonly closed_at: Date | null
  readonly closed_by: string | null
  readonly close_reason: string | null
}

/**
 * The amount of a difference. A line that should not have been billed counts in full, whatever its order cost. A commission
 * smaller than ours adds to the amount. Null when only the commission differs and ours is not known. For queries over the
 * tables `difference`, its `line` and `order_commissions`.
 */
const amountBy = sql`case difference.kind
  when 'ours_only' then -amount_ours
  when 'theirs_only' then amount_theirs
  else nullif(amount_theirs - amount_ours - coalesce(line.commission - order_commissions.base, 0), 0) end`

/** Filters of a list of differences. An absent filter does not narrow the list. */
export type DifferenceQuery = {
  readonly supplier?: string | undefined
  readonly isOpen?: boolean | undefined
  /** True: only closed ones. */
  readonly isClosed?: boolean | undefined
  readonly kind?: ListedDifference['kind'] | undefined
  readonly statementId?: string | undefined
  readonly assignedTo?: string | undefined
  readonly reference?: string | undefined
  readonly id?: string | undefined
  /** The id of the last difference on the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

/** The conditions of a query. Only requested ones are written, so that the fitting index is used. */
function conditionsOf(query: DifferenceQuery): RawBuilder<unknown> {
  const { supplier, isOpen, isClosed, kind, statementId, assignedTo, reference, id, after } = query
  const conditions = [
    supplier !== undefined && sql`difference.supplier = ${supplier}`,
    isOpen === true && sql`difference.closed_at is null`,
    isClosed === true && sql`difference.closed_at is not null`,
    kind !== undefined && sql`difference.kind = ${kind}`,
    statementId !== undefined && sql`difference.statement_id = ${statementId}`,
    assignedTo !== undefined && sql`difference.assigned_to = ${assignedTo}`,
    reference !== undefined && sql`difference.reference = ${reference}`,
    id !== undefined && sql`difference.id = ${id}`,
    after !== undefined &&
      sql`(found_at, difference.id) < (
        select last.found_at, last.id from reconciliation_differences as last where last.id = ${after})`,
  ].filter((condition) => condition !== false)
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

export async function listDifferences(db: Db, query: DifferenceQuery): Promise<ListedDifference[]> {
  const { rows } = await sql<ListedDifference>`
    select difference.id, difference.supplier, difference.kind, difference.why, difference.reference,
      orders.id as order_id, orders.reference as order_reference, orders.status as order_status, attempt.supplier_reference,
      amount_theirs, amount_ours, ${amountBy} as amount_by, difference.at, difference.statement_id, file_name, difference.line_no,
      line.commission as commission_theirs, order_commissions.base as commission_ours,
      found_at, assigned_to, closed_at, closed_by, close_reason
    from (
      select * from reconciliation_differences as difference where ${conditionsOf(query)}
      order by found_at desc, difference.id desc limit ${query.limit}
    ) as difference
    join supplier_statements as statement on statement.id = difference.statement_id
    left join statement_lines as line on line.statement_id = difference.statement_id and line.line_no = difference.line_no
    left join lateral (
      select supplier_reference from attempts
      where order_id = difference.order_id and attempt_no = difference.attempt_no limit 1
    ) as attempt on true
    left join lateral (select id, reference, status from orders where orders.id = difference.order_id limit 1) as orders on true
    left join order_commissions on order_commissions.order_id = orders.id
    order by found_at desc, difference.id desc`.execute(db)
  return rows
}

/** The open differences of one supplier and kind: how many, and the sums of the statements and of our books, in pesewas. */
export type OpenDifferences = {
  readonly supplier: string
  readonly kind: ListedDifference['kind']
  readonly count: number
  readonly unassigned: number
  readonly amount_theirs: number
  readonly amount_ours: number
  readonly amount_by: number
}

export async function countOpenDifferences(db: Db): Promise<OpenDifferences[]> {
  const { rows } = await sql<OpenDifferences>`
    select difference.supplier, kind, count(*)::integer as count,
      (count(*) filter (where assigned_to is null))::integer as unassigned,
      coalesce(sum(amount_theirs), 0)::bigint as amount_theirs, coalesce(sum(amount_ours), 0)::bigint as amount_ours,
      coalesce(sum(${amountBy}), 0)::bigint as amount_by
    from reconciliation_differences as difference
    left join statement_lines as line on kind = 'amount_differs'
      and line.statement_id = difference.statement_id and line.line_no = difference.line_no
    left join order_commissions on kind = 'amount_differs' and order_commissions.order_id = difference.order_id
    where closed_at is null group by difference.supplier, kind order by difference.supplier, kind`.execute(db)
  return rows
}
