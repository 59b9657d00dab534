import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type AuditCheck, runAudit } from '../money/audit.ts'
import type { Db } from '../platform/database/database.ts'
import { classifyDatabaseError } from '../platform/database/database-errors.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { type BackgroundShare, wholeShare } from '../platform/housekeeping/background-share.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'
import type { PutAwayMonth } from '../platform/partitions/put-away-months.ts'
import { describePutAwayObstacles } from './describe-put-away-obstacles.ts'
import {
  type ArchivedMonth,
  chainOf,
  checkFile,
  listArchivedMonths,
  type Manifest,
  type ManifestTable,
  manifestFile,
  readManifest,
} from './month-files.ts'
import { describeTables, type PutAwayTable, type RowsPage, readPutAwayRows } from './put-away-rows.ts'
import { findFirstBlock, openTally, tallySealed } from './sealed-marks.ts'
import { hashFile, readTableFile, type TextRow, writeTableFile, writeTextFile } from './table-file.ts'

const lock = sql`hashtextextended('makola archive', 0)`

/**
 * Lets one process at a time put months away or bring them back. PostgreSQL gives the lock back when the process is killed.
 * @throws OperatorRequestError while another process does one of these
 */
export function runArchiveAlone<T>(db: Db, work: () => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ isOurs: boolean }>`select pg_try_advisory_lock(${lock}) as "isOurs"`.execute(connection)
    if (!rows[0]?.isOurs)
      throw new OperatorRequestError('Another process is putting a month away or bringing one back. Try again later.')
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(connection)
    }
  })
}

export type ArchiveDeps = {
  readonly db: Db
  /** The folder with a folder of files for each month. */
  readonly archiveDir: string
  /** The rules that the month must keep. */
  readonly checks: readonly AuditCheck[]
  readonly actor: string
  readonly share?: BackgroundShare
  onProgress?(table: string, rows: number): void
}

const rowOf = (row: TextRow) => JSON.stringify(row)

/** Makes an error handler that says what to do when a file cannot be written. */
function explainWriting(folder: string): (error: unknown) => never {
  return (error) => {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error
    const reason = code === 'ENOSPC' ? 'the disk is full' : (error as Error).message
    throw new OperatorRequestError(`The files cannot be written to ${folder}: ${reason}. Nothing is lost; run it again.`)
  }
}

/**
 * Writes the file of a table and reads it back. Proves that the file has exactly the rows of the table and, where the table has
 * a chain, that these rows are the ones that were sealed in it.
 */
async function writeTable(deps: ArchiveDeps, table: PutAwayTable, month: PutAwayMonth, folder: string): Promise<ManifestTable> {
  const { db, share = wholeShare } = deps
  const { name, columns } = table
  const chain = chainOf(name)
  const sealed = chain && (await tallySealed(db, chain, month, { firstBlock: await findFirstBlock(db, chain, month.month) }))
  const [rows, marks, readBack] = [openTally(), openTally(), openTally()]
  const pages = readPutAwayRows(db, table, month.month, chain && sealed && { chain, form: sealed.form })
  async function* tallied(): AsyncGenerator<readonly TextRow[]> {
    for (;;) {
      const next = await share.piece(() => pages.next())
      if (next.done) return
      const page: RowsPage = next.value
      rows.add(page.rows.map(rowOf))
      if (sealed) marks.add(page.marks)
      deps.onProgress?.(name, rows.read().count)
      yield page.rows
    }
  }
  const file = `${name}.parquet`
  const path = join(folder, file)
  const facts = await writeTableFile(path, columns, tallied()).catch(explainWriting(folder))
  for await (const page of readTableFile(path, columns)) readBack.add(page.map(rowOf))
  const same = (a: { readonly count: number; readonly sum: string }, b: typeof a) => a.count === b.count && a.sum === b.sum
  if (!same(rows.read(), readBack.read()) || (await hashFile(path)) !== facts.sha256) {
    throw new OperatorRequestError(`${path} was not read back as it was written. Is the disk sound? Run it again.`)
  }
  if (sealed && sealed.count < marks.read().count) {
    throw new OperatorRequestError(
      `Some rows of ${name} of ${month.month} are not sealed yet. They are all still in the database; run it again later.`,
    )
  }
  if (sealed && !same(marks.read(), sealed)) {
    throw new OperatorRequestError(
      `The rows of ${name} of ${month.month} are not as they were sealed. They are all still in the database: bring the month back, then look at the chains.`,
      { command: `Run \`makola archive bring-back ${month.month}\`, then \`makola audit --chain\`.` },
    )
  }
  return { table: name, file, ...facts, columns, sealed: sealed ?? null }
}

/** Writes the files of a month that was taken out, and notes them in the operator's log, whose chain seals them. */
async function writeMonth(deps: ArchiveDeps, month: ArchivedMonth): Promise<void> {
  const { db, archiveDir, actor } = deps
  const folder = join(archiveDir, month.month)
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(explainWriting(folder))
  const tables: ManifestTable[] = []
  for (const table of await describeTables(db, Object.keys(month.rowCounts)))
    tables.push(await writeTable(deps, table, month, folder))
  const manifest: Manifest = { format: 1, month: month.month, tables }
  await writeTextFile(manifestFile(folder), `${JSON.stringify(manifest, null, 2)}\n`).catch(explainWriting(folder))
  const hash = await hashFile(manifestFile(folder))
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  await inTransaction(db, async (tx) => {
    const details = { manifest_sha256: hash, folder, host: hostname(), bytes, rows: month.rowCounts }
    await appendOperatorLog(tx, { actor, action: 'archive', subject: month.month, details })
    await sql`select note_month_written(${`${month.month}-01`}, ${folder}, ${hostname()}, ${bytes}, ${hash})`.execute(tx)
  })
}

/** @throws OperatorRequestError when the month has something open, or breaks a rule of the audit */
async function moveRowsOut(deps: ArchiveDeps, month: PutAwayMonth): Promise<void> {
  const { db, checks, share = wholeShare } = deps
  const open = await describePutAwayObstacles(db, month)
  if (open.length > 0) throw new OperatorRequestError(`${month.month} cannot be put away, because it has ${open.join('; ')}.`)
  const { ok, checks: counts } = await runAudit(db, checks, { isFull: true, only: month, share })
  if (!ok) {
    const broken = Object.keys(counts).filter((name) => counts[name] !== 0)
    throw new OperatorRequestError(`${month.month} cannot be put away, because the audit finds ${broken.join(', ')} in it.`)
  }
  await sql`select take_month_out(${`${month.month}-01`})`.execute(db).catch(explainLock)
}

function explainLock(error: unknown): never {
  if (classifyDatabaseError(error) !== 'lock_not_available') throw error
  throw new OperatorRequestError('The tables are in use by something that does not end. Nothing has changed; run it again later.')
}

/**
 * The function `drop_month` of the database drops the rows of a month this long after its files were written, or at once where
 * the login owns the tables.
 */
export const waitDays = 7

/**
 * Puts a month away, beginning with the first step that is not done yet. It can be interrupted at any moment and run again.
 * @returns `written` where the rows wait in the database until they may be dropped
 * @throws OperatorRequestError when it cannot be done; then all rows are still in the database
 */
export function putMonthAway(deps: ArchiveDeps, month: PutAwayMonth): Promise<'written' | 'put_away'> {
  return runArchiveAlone(deps.db, () => putAwayInSteps(deps, month))
}

async function putAwayInSteps(deps: ArchiveDeps, month: PutAwayMonth): Promise<'written' | 'put_away'> {
  const find = async () => (await listArchivedMonths(deps.db)).find((each) => each.month === month.month)
  let archived = await find()
  if (!archived) {
    await moveRowsOut(deps, month)
    archived = await find()
  }
  if (archived?.state === 'taken_out') {
    await writeMonth(deps, archived)
    archived = await find()
  }
  if (!archived) throw new Error(`${month.month} was brought back while it was put away`)
  if (archived.state === 'put_away') return 'put_away'
  const { tables } = await readManifest(deps.db, archived)
  for (const table of tables) await checkFile(month.month, archived.folder ?? '', table)
  const { rows } = await sql<{ isDropped: boolean }>`select drop_month(${`${month.month}-01`}) as "isDropped"`.execute(deps.db)
  return rows[0]?.isDropped ? 'put_away' : 'written'
}
