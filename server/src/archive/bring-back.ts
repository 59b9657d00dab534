import { join } from 'node:path'
import { sql } from 'kysely'
import { clearAlarm } from '../notices/clear-alarm.ts'
import { classifyDatabaseError } from '../platform/database/database-errors.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'
import { type ArchivedMonth, chainOf, checkFile, listArchivedMonths, type ManifestTable, readManifest } from './month-files.ts'
import { type ArchiveDeps, runArchiveAlone } from './put-away.ts'
import { addPutAwayRows, describeTables, type PutAwayTable, readPutAwayRows } from './put-away-rows.ts'
import { openTally } from './sealed-marks.ts'
import { readTableFile } from './table-file.ts'
import { missingFileAlarm } from './watch-archive.ts'

type BringBackDeps = Pick<ArchiveDeps, 'db' | 'actor' | 'onProgress'>

/** Reads the file of a table into the database, and proves that the rows in the database are those that were sealed. */
async function readTable(
  deps: BringBackDeps,
  archived: ArchivedMonth,
  table: PutAwayTable,
  written: ManifestTable,
): Promise<void> {
  const { db } = deps
  const { month, folder } = archived
  const { columns, sealed } = written
  let count = 0
  for await (const rows of readTableFile(join(folder ?? '', written.file), columns)) {
    await addPutAwayRows(db, table, month, { columns, rows })
    count += rows.length
    deps.onProgress?.(table.name, count)
  }
  const chain = chainOf(table.name)
  if (!chain || !sealed) return
  const tally = openTally()
  for await (const { marks } of readPutAwayRows(db, table, month, { chain, form: sealed.form })) tally.add(marks)
  const read = tally.read()
  if (read.count === sealed.count && read.sum === sealed.sum) return
  throw new OperatorRequestError(`The rows of ${written.file} are not as they were sealed, so ${month} stays put away.`)
}

/**
 * Brings a month back into the database. It can be interrupted at any moment and run again.
 * @throws OperatorRequestError when the month is not put away or its files are missing or changed: then nothing has changed.
 * Also when the tables are in use: then the rows are read in, and another run puts them in place
 */
export function bringMonthBack(deps: BringBackDeps, month: string): Promise<ArchivedMonth> {
  return runArchiveAlone(deps.db, () => bringBackInSteps(deps, month))
}

async function bringBackInSteps(deps: BringBackDeps, month: string): Promise<ArchivedMonth> {
  const { db, actor } = deps
  const archived = (await listArchivedMonths(db)).find((each) => each.month === month)
  if (!archived) throw new OperatorRequestError(`${month} is not put away.`)
  if (archived.state === 'put_away' || archived.state === 'coming_back') {
    const { tables } = await readManifest(db, archived)
    for (const table of tables) await checkFile(month, archived.folder ?? '', table)
    await sql`select begin_bringing_back(${`${month}-01`})`.execute(db)
    for (const table of await describeTables(db, Object.keys(archived.rowCounts))) {
      const written = tables.find((each) => each.table === table.name)
      if (written) await readTable(deps, archived, table, written)
    }
  }
  await inTransaction(db, async (tx) => {
    const details = { manifest_sha256: archived.manifestHash, rows: archived.rowCounts }
    await appendOperatorLog(tx, { actor, action: 'archive bring-back', subject: month, details })
    await sql`select put_month_back(${`${month}-01`})`.execute(tx)
    await clearAlarm(tx, missingFileAlarm, month)
  }).catch((error: unknown) => {
    if (classifyDatabaseError(error) !== 'lock_not_available') throw error
    throw new OperatorRequestError(
      'The tables are in use by something that does not end. The rows are read in; run it again later to put them in place.',
    )
  })
  return archived
}
