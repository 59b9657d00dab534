import type { Db } from '../../platform/database/database.ts'
import { writeCsvHead, writeCsvRows } from '../../platform/write-csv.ts'
import { type LedgerQuery, listLedger } from './list-ledger.ts'
import type { NameOrders } from './statement.ts'
import { cellsOfEntry, entryColumns as columns } from './statement-columns.ts'

/** How many entries are read and written at a time, so that memory never holds all of a long list, nor the event loop waits long. */
const pieceEntries = 200

/** Writes all entries that fit as CSV, a piece at a time, newest first. */
export async function* writeLedgerCsv(
  db: Db,
  query: Omit<LedgerQuery, 'limit' | 'before'>,
  nameOrders: NameOrders,
): AsyncGenerator<string> {
  yield writeCsvHead(columns)
  let before: number | null | undefined
  while (before !== null) {
    const { entries, next } = await listLedger(db, { ...query, before, limit: pieceEntries }, nameOrders)
    yield writeCsvRows({ columns, rows: entries.map((entry) => cellsOfEntry(query.purse, entry)) })
    before = next
  }
}
