import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import type { ComparedLine } from './compare-line.ts'

export type StoredStatement = {
  readonly id: string
  keepLines(lines: readonly ComparedLine[]): Promise<void>
}

export type ImportedStatement = {
  readonly id: string
  /** False: this file was imported before, and nothing of it was stored now. */
  readonly isNew: boolean
  readonly fileName: string
  readonly importedAt: Date
  readonly importedBy: string
}

async function writeLines(tx: Tx, statementId: string, lines: readonly ComparedLine[]): Promise<void> {
  if (lines.length === 0) return
  const figuresOf = (judged: ComparedLine) => (judged.finding === 'unreadable' ? undefined : judged.line)
  await sql`
    insert into statement_lines ${rowsOf(lines, {
      statement_id: ['uuid', () => statementId],
      line_no: ['integer', ({ line }) => line.line],
      reference: ['text', (judged) => figuresOf(judged)?.reference ?? null],
      amount: ['bigint', (judged) => figuresOf(judged)?.amountPesewas ?? null],
      commission: ['bigint', (judged) => figuresOf(judged)?.commissionPesewas ?? null],
      at: ['timestamptz', (judged) => figuresOf(judged)?.at ?? null],
      finding: ['text', ({ finding }) => finding],
      why: ['text', (judged) => whyOf(judged)],
      order_id: ['uuid', (judged) => (judged.finding === 'unreadable' ? null : (judged.ours?.orderId ?? null))],
      attempt_no: ['integer', (judged) => (judged.finding === 'unreadable' ? null : (judged.ours?.attemptNo ?? null))],
    }).forInsert()}`.execute(tx)
}

function whyOf(judged: ComparedLine): string | null {
  if (judged.finding === 'unreadable') return judged.line.message
  return judged.finding === 'theirs_only' ? judged.why : null
}

/**
 * Begins to store a statement, after a savepoint. The file's hash, known at its end, shows whether the same file was imported
 * before; then the savepoint undoes the lines.
 */
export async function beginStatement(tx: Tx): Promise<StoredStatement> {
  const id = newId()
  await sql`savepoint before_lines`.execute(tx)
  return { id, keepLines: (lines) => writeLines(tx, id, lines) }
}

/** How many lines have each finding, and their sums in pesewas. `oursOnly` counts our deliveries that have no line. */
export type StatementFindings = {
  readonly matched: number
  readonly matchedAmount: number
  readonly oursOnly: number
  /** The cost, by our books, of the deliveries that the statement does not bill. */
  readonly oursOnlyAmount: number
  readonly theirsOnly: number
  readonly theirsOnlyAmount: number
  readonly amountDiffers: number
  readonly amountDiffersTheirs: number
  readonly amountDiffersOurs: number
  readonly notBilled: number
  readonly unreadable: number
}

/** Facts that are known once the file has been read. */
export type ReadFile = {
  readonly findings: StatementFindings
  readonly supplier: string
  readonly hash: Buffer
  readonly fileName: string
  readonly lineCount: number
  readonly from: Date | null
  readonly to: Date | null
  readonly actor: string
}

/** Finishes the import of a statement, or undoes it if the same file was imported before. */
export async function endStatement(tx: Tx, { id }: StoredStatement, file: ReadFile): Promise<ImportedStatement> {
  const found = file.findings
  const { rows } = await sql<{ imported_at: Date }>`
    insert into supplier_statements (id, supplier, file_hash, file_name, line_count, covers_from, covers_to, imported_by,
      matched, matched_amount, ours_only, ours_only_amount, theirs_only, theirs_only_amount,
      amount_differs, amount_differs_theirs, amount_differs_ours, not_billed, unreadable)
    values (${id}, ${file.supplier}, ${file.hash}, ${file.fileName}, ${file.lineCount}, ${file.from}, ${file.to}, ${file.actor},
      ${found.matched}, ${found.matchedAmount}, ${found.oursOnly}, ${found.oursOnlyAmount},
      ${found.theirsOnly}, ${found.theirsOnlyAmount}, ${found.amountDiffers}, ${found.amountDiffersTheirs},
      ${found.amountDiffersOurs}, ${found.notBilled}, ${found.unreadable})
    on conflict (supplier, file_hash) do nothing
    returning imported_at`.execute(tx)
  const [written] = rows
  if (written) {
    return { id, isNew: true, fileName: file.fileName, importedAt: written.imported_at, importedBy: file.actor }
  }
  await sql`rollback to savepoint before_lines`.execute(tx)
  const known = await tx
    .selectFrom('supplier_statements')
    .select(['id', 'file_name as fileName', 'imported_at as importedAt', 'imported_by as importedBy'])
    .where('supplier', '=', file.supplier)
    .where('file_hash', '=', file.hash)
    .executeTakeFirstOrThrow()
  return { ...known, isNew: false }
}
