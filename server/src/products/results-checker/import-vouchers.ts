import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { addUnitCost } from '../../orders/costs/unit-costs.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { addVouchers, type NewVoucher } from './add-vouchers.ts'
import { voucherCost } from './cost/voucher-cost.ts'
import type { VoucherTypeRow } from './list-voucher-stock.ts'
import { readVoucherFile, type VoucherFileProblem } from './read-voucher-file.ts'

/** The message lists at most this many problems, because nobody reads more. */
const problemsShownMax = 20

/** Reading ends after this many problems, so that a wholly wrong file does not fill the memory. */
const problemsKeptMax = 10_000

/** The most lines of known vouchers that are kept to be shown. */
const knownLinesMax = 100

/** Rows written in one statement. To make its parameters of 500 wide rows takes some 5 ms, in which other requests wait. */
const batchRows = 500

/** A file with bad rows, of which nothing was imported. The message lists the rows by line, without their content. */
export class VoucherFileError extends OperatorRequestError {
  override readonly name = 'VoucherFileError'
  readonly problems: readonly VoucherFileProblem[]
  constructor(problems: readonly VoucherFileProblem[], lead = 'Nothing was imported.') {
    const shown = problems.slice(0, problemsShownMax).map(({ line, message }) => `line ${line}: ${message}`)
    const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : []
    super(`${lead} ${[...shown, ...more].join('; ')}.`)
    this.problems = problems
  }
}

export type VoucherImport = {
  readonly type: Pick<VoucherTypeRow, 'id' | 'name'>
  readonly file: Readable
  /** True: everything is read and checked, and nothing is stored. */
  readonly isDryRun: boolean
  readonly actor: string
  /** The file's name in lists of imports. */
  readonly fileName?: string | undefined
  /** Our cost of each voucher in the file, in GHS. Absent: it is entered later, or the cost of the type counts. */
  readonly costGhs?: number | undefined
  /** Called after each batch with how many rows were read so far. */
  readonly onProgress?: (rows: number) => void
}

export type ImportedVouchers = {
  readonly imported: number
  readonly skipped: number
  /** The first lines with vouchers that were known already. */
  readonly knownLines: readonly number[]
}

/** Thrown at the end of a dry run, so that its transaction is rolled back. */
class DryRunOver extends Error {
  readonly result: ImportedVouchers
  constructor(result: ImportedVouchers) {
    super('the dry run is over')
    this.result = result
  }
}

async function importRows(tx: Tx, keys: SecretsKeys, request: VoucherImport): Promise<ImportedVouchers> {
  const problems: VoucherFileProblem[] = []
  let batch: NewVoucher[] = []
  let rows = 0
  let imported = 0
  let skipped = 0
  const knownLines: number[] = []

  async function writeBatch(): Promise<void> {
    const written = await addVouchers(tx, keys, request.type.id, batch)
    imported += written.added
    skipped += written.known
    knownLines.push(...written.knownLines.slice(0, knownLinesMax - knownLines.length))
    problems.push(...written.problems)
    batch = []
    request.onProgress?.(rows)
  }

  for await (const row of readVoucherFile(request.file)) {
    rows += 1
    if ('message' in row) problems.push(row)
    else batch.push({ ...row.voucher, id: newId(), line: row.line })
    if (batch.length >= batchRows) await writeBatch()
    if (problems.length > problemsKeptMax) break
  }
  if (batch.length > 0) await writeBatch()
  if (problems.length > 0) throw new VoucherFileError(problems.toSorted((a, b) => a.line - b.line))
  return { imported, skipped, knownLines: knownLines.toSorted((a, b) => a - b) }
}

/** Stores an import as a batch if it added vouchers, raises the type's count, and writes to the operator's log. */
async function storeBatch(tx: Tx, { type, actor, fileName, costGhs }: VoucherImport, result: ImportedVouchers): Promise<void> {
  const { imported, skipped } = result
  if (imported > 0) {
    const key = newId()
    const { imported_at: from } = await tx
      .insertInto('voucher_batches')
      .values({ id: key, type_id: type.id, imported, skipped, file_name: fileName ?? null, imported_by: actor })
      .returning('imported_at')
      .executeTakeFirstOrThrow()
    if (costGhs !== undefined) await addUnitCost(tx, { product: voucherCost.product, key, ghs: costGhs, percent: 0, from, actor })
  }
  // The count is changed late, because from here until the commit nobody can buy this type.
  const { rows } = await sql<{ available_count: number }>`
    update voucher_types set available_count = available_count + ${imported} where id = ${type.id}
    returning available_count`.execute(tx)
  const after = rows[0]?.available_count ?? 0
  await appendOperatorLog(tx, {
    actor,
    action: 'vouchers import',
    subject: type.name,
    details: {
      imported,
      skipped,
      before: `${after - imported} in stock`,
      after: `${after} in stock`,
      ...(fileName !== undefined && { file: fileName }),
    },
  })
}

/**
 * Imports a file of vouchers into the stock of a type, all or nothing. Skips known vouchers, so that a file may be imported
 * again. Sales go on meanwhile.
 * @throws VoucherFileError with the bad rows and their lines
 */
export async function importVouchers(db: Db, keys: SecretsKeys, request: VoucherImport): Promise<ImportedVouchers> {
  try {
    return await inTransaction(db, async (tx) => {
      // One import at a time: two imports of the same voucher under different keys would not find each other's hash.
      await sql`select pg_advisory_xact_lock(hashtextextended('makola voucher import', 0))`.execute(tx)
      const result = await importRows(tx, keys, request)
      if (request.isDryRun) throw new DryRunOver(result)
      await storeBatch(tx, request, result)
      return result
    })
  } catch (error) {
    if (error instanceof DryRunOver) return error.result
    throw error
  }
}
