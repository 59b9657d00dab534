import { sql } from 'kysely'
import { formatGhs, pesewas } from '../money/pesewas.ts'
import { attemptsNamed } from '../orders/queries/orders-named.ts'
import type { Finder, FinderDeps, Match, SearchText } from '../platform/finding/finder.ts'

type LineRow = {
  statement_id: string
  line_no: number
  reference: string | null
  amount: number | null
  finding: string
  supplier: string
  file_name: string
  order_id: string | null
}

/** A line with one of our references is found through its attempt, any other through its difference. */
async function findStatementLines({ db }: FinderDeps, { text, id }: SearchText, limit: number): Promise<Match[]> {
  const { rows } = await sql<LineRow>`
    with named as (
      select line.statement_id, line.line_no from (${attemptsNamed([text])}) as attempt
      cross join lateral (
        select statement_id, line_no from statement_lines
        where order_id = attempt.order_id and attempt_no = attempt.attempt_no limit ${limit}
      ) as line
      union
      select difference.statement_id, difference.line_no from suppliers
      cross join lateral (
        select statement_id, line_no from reconciliation_differences
        where supplier = suppliers.name and reference = ${text} and line_no is not null limit ${limit}
      ) as difference
      union
      select statement_id, line_no from reconciliation_differences where id = ${id ?? null}::uuid and line_no is not null
    )
    select line.*, statement.supplier, statement.file_name
    from named
    cross join lateral (
      select statement_id, line_no, reference, amount, finding, order_id from statement_lines
      where statement_id = named.statement_id and line_no = named.line_no limit 1
    ) as line
    cross join lateral (
      select supplier, file_name from supplier_statements where supplier_statements.id = named.statement_id limit 1
    ) as statement
    order by line.statement_id desc, line.line_no limit ${limit}`.execute(db)
  return rows.map((row) => {
    const amount = row.amount === null ? '' : ` for ${formatGhs(pesewas(row.amount))}`
    return {
      type: 'statement line',
      id: `${row.statement_id}/${row.line_no}`,
      text: `Line ${row.line_no} of ${row.supplier}’s statement ${row.file_name}, ${row.reference ?? 'without a reference'}${amount}: ${row.finding}.`,
      next:
        row.finding === 'matched' && row.order_id !== null
          ? `makola order show ${row.order_id}`
          : `makola reconcile differences --supplier ${row.supplier}`,
      path:
        row.finding === 'matched' && row.order_id !== null ? `/orders/${row.order_id}` : `/reconcile?supplier=${row.supplier}`,
    }
  })
}

/** Finds lines of imported statements by their reference, or by the difference that they caused. */
export const statementLineFinder: Finder = { finds: 'statement lines', find: findStatementLines }
