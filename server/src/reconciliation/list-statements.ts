import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../platform/database/database.ts'

/** An imported statement with what its import found, and how many of its differences are open now. Amounts in pesewas. */
export type ListedStatement = Omit<Selectable<Tables['supplier_statements']>, 'file_hash'> & { readonly open: number }

export async function listStatements(
  db: Db,
  { supplier, id, after, limit }: { supplier?: string | undefined; id?: string; after?: string | undefined; limit: number },
): Promise<ListedStatement[]> {
  const conditions: RawBuilder<unknown>[] = [
    ...(supplier === undefined ? [] : [sql`supplier = ${supplier}`]),
    ...(id === undefined ? [] : [sql`id = ${id}`]),
    ...(after === undefined
      ? []
      : [sql`(imported_at, id) < (select last.imported_at, last.id from supplier_statements as last where last.id = ${after})`]),
    sql`true`,
  ]
  const { rows } = await sql<ListedStatement>`
    select id, supplier, file_name, line_count, covers_from, covers_to, imported_by, imported_at,
      matched, matched_amount, ours_only, ours_only_amount, theirs_only, theirs_only_amount,
      amount_differs, amount_differs_theirs, amount_differs_ours, not_billed, unreadable,
      (select count(*)::integer from reconciliation_differences as difference
        where difference.statement_id = statement.id and closed_at is null) as open
    from supplier_statements as statement
    where ${sql.join(conditions, sql` and `)}
    order by imported_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

export type UnreadableLine = { readonly line_no: number; readonly why: string }

export async function listUnreadableLines(db: Db, statementId: string, limit: number): Promise<UnreadableLine[]> {
  const { rows } = await sql<UnreadableLine>`
    select line_no, coalesce(why, '') as why from statement_lines where statement_id = ${statementId} and finding = 'unreadable'
    order by line_no limit ${limit}`.execute(db)
  return rows
}
