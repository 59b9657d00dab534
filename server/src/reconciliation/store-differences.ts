import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import { listInPieces } from '../platform/in-pieces.ts'
import { type AmountDifference, costOf, hasOurFigures, type TheirsOnly } from './compare-line.ts'
import { type ReconciledAttempt, type ReconcilingWith, readReconciledAttempts, tableOf } from './read-reconciled-attempts.ts'

/** Stored in `closed_by` when a statement, not a person, closes a difference. */
const byStatement = 'statement'

type DifferentLine = TheirsOnly | AmountDifference

type NumberedLine = { readonly judged: DifferentLine; readonly nth: number }

/** Numbers equal lines of one statement, to distinguish them. */
function numberLines(): (judged: DifferentLine) => NumberedLine {
  const seen = new Map<string, number>()
  return (judged) => {
    const { reference, at, amountPesewas } = judged.line
    const key = JSON.stringify([reference, at, amountPesewas])
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return { judged, nth }
  }
}

/**
 * Stores the differences of lines, in pieces: a file may have hundreds of thousands. If an overlapping statement already had
 * the same difference, it is not stored again, even if it is closed.
 */
export async function storeDifferentLines(
  tx: Tx,
  statement: { readonly id: string; readonly supplier: string },
  lines: readonly DifferentLine[],
): Promise<void> {
  const numbered = numberLines()
  for await (const portion of listInPieces(lines)) await writeDifferentLines(tx, statement, portion.map(numbered))
}

async function writeDifferentLines(
  tx: Tx,
  statement: { readonly id: string; readonly supplier: string },
  lines: readonly NumberedLine[],
): Promise<void> {
  await sql`
    insert into reconciliation_differences ${rowsOf(lines, {
      id: ['uuid', () => newId()],
      supplier: ['text', () => statement.supplier],
      kind: ['text', ({ judged }) => judged.finding],
      why: ['text', ({ judged }) => (judged.finding === 'theirs_only' ? judged.why : null)],
      statement_id: ['uuid', () => statement.id],
      line_no: ['integer', ({ judged }) => judged.line.line],
      reference: ['text', ({ judged }) => judged.line.reference],
      nth: ['integer', ({ nth }) => nth],
      at: ['timestamptz', ({ judged }) => judged.line.at],
      order_id: ['uuid', ({ judged }) => judged.ours?.orderId ?? null],
      attempt_no: ['integer', ({ judged }) => judged.ours?.attemptNo ?? null],
      amount_theirs: ['bigint', ({ judged }) => judged.line.amountPesewas],
      amount_ours: ['bigint', ({ judged }) => (judged.ours === null ? null : costOf(judged.ours))],
    }).forInsert()}
    on conflict do nothing`.execute(tx)
}

/** Stores each delivery that no statement bills, once. */
export async function storeUnbilledAttempts(
  tx: Tx,
  statement: { readonly id: string; readonly supplier: string },
  attempts: readonly ReconciledAttempt[],
): Promise<void> {
  for await (const portion of listInPieces(attempts)) await writeUnbilledAttempts(tx, statement, portion)
}

async function writeUnbilledAttempts(
  tx: Tx,
  statement: { readonly id: string; readonly supplier: string },
  attempts: readonly ReconciledAttempt[],
): Promise<void> {
  const { rows } = await sql<{ outgoing_reference: string }>`
    select ours.outgoing_reference from ${tableOf(attempts)} join statement_lines using (order_id, attempt_no)
    where finding <> 'not_billed'`.execute(tx)
  const billed = new Set(rows.map((row) => row.outgoing_reference))
  const unbilled = attempts.filter(({ outgoingReference }) => !billed.has(outgoingReference))
  if (unbilled.length === 0) return
  await sql`
    insert into reconciliation_differences ${rowsOf(unbilled, {
      id: ['uuid', () => newId()],
      supplier: ['text', () => statement.supplier],
      kind: ['text', () => 'ours_only'],
      statement_id: ['uuid', () => statement.id],
      reference: ['text', (ours) => ours.outgoingReference],
      at: ['timestamptz', (ours) => ours.createdAt],
      order_id: ['uuid', (ours) => ours.orderId],
      attempt_no: ['integer', (ours) => ours.attemptNo],
      amount_ours: ['bigint', costOf],
    }).forInsert()}
    on conflict do nothing`.execute(tx)
}

/**
 * Closes the differences of deliveries that this statement is the first to bill.
 * @returns how many were closed
 */
export async function closeBilledAttempts(tx: Tx, statementId: string): Promise<number> {
  const { rows } = await sql`
    update reconciliation_differences as difference
    set closed_at = clock_timestamp(), closed_by = ${byStatement},
      close_reason = 'billed in ' || statement.file_name || ', line ' || billing.line_no
    from statement_lines as billing join supplier_statements as statement on statement.id = billing.statement_id
    where billing.statement_id = ${statementId} and billing.finding in ('matched', 'amount_differs')
      and difference.order_id = billing.order_id and difference.attempt_no = billing.attempt_no
      and difference.kind = 'ours_only' and difference.closed_at is null
    returning difference.id`.execute(tx)
  return rows.length
}

type LateRow = {
  id: string
  statement_id: string
  line_no: number
  order_id: string
  outgoing_reference: string
  attempt_no: number
  amount_theirs: number
  commission: number | null
}

/**
 * Checks again the lines that were billed before their orders were delivered. If an order has been delivered since, its line
 * matches, or only its amount differs.
 * @returns how many match now
 */
export async function revisitUndelivered(tx: Tx, reconciling: ReconcilingWith): Promise<number> {
  const { rows } = await sql<LateRow>`
    select difference.id, difference.statement_id, difference.line_no, difference.order_id, difference.attempt_no,
      attempt.outgoing_reference, amount_theirs, line.commission
    from reconciliation_differences as difference
    join statement_lines as line using (statement_id, line_no)
    cross join lateral (
      select outcome, outgoing_reference from attempts
      where order_id = difference.order_id and attempt_no = difference.attempt_no limit 1
    ) as attempt
    where difference.supplier = ${reconciling.supplier} and difference.closed_at is null
      and difference.why = 'not_delivered' and attempt.outcome = 'delivered'`.execute(tx)
  if (rows.length === 0) return 0
  const wanted = rowsOf(rows, { order_id: ['uuid', (row) => row.order_id], attempt_no: ['integer', (row) => row.attempt_no] })
  const attempts = await readReconciledAttempts(tx, reconciling, sql`select distinct * from ${wanted.as('late')}`)
  const byReference = new Map(attempts.map((attempt) => [attempt.outgoingReference, attempt]))
  const judged = rows.map((row) => {
    const ours = byReference.get(row.outgoing_reference)
    const figures = { amountPesewas: row.amount_theirs, commissionPesewas: row.commission }
    return { ...row, finding: ours && hasOurFigures(figures, ours) ? 'matched' : 'amount_differs' }
  })
  await sql`
    with found as (
      select * from ${rowsOf(judged, {
        id: ['uuid', (row) => row.id],
        statement_id: ['uuid', (row) => row.statement_id],
        line_no: ['integer', (row) => row.line_no],
        finding: ['text', (row) => row.finding],
      }).as('row')}
    ), kept as (
      update statement_lines as line set finding = found.finding, why = null
      from found where line.statement_id = found.statement_id and line.line_no = found.line_no
    )
    update reconciliation_differences as difference
    set kind = case found.finding when 'matched' then difference.kind else 'amount_differs' end,
      why = case found.finding when 'matched' then difference.why end,
      closed_at = case found.finding when 'matched' then clock_timestamp() end,
      closed_by = case found.finding when 'matched' then ${byStatement} end,
      close_reason = case found.finding when 'matched' then 'delivered since, as billed' end
    from found where difference.id = found.id`.execute(tx)
  return judged.filter(({ finding }) => finding === 'matched').length
}
