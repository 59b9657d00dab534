import { type CsvRow, writeCsvHead, writeCsvRows } from '../../platform/write-csv.ts'
import type { Statement } from './statement.ts'
import { cellsOfAmount, cellsOfEntry, entryColumns } from './statement-columns.ts'

const pieceEntries = 500

/** Writes a statement as CSV, a piece at a time: the opening balance, the entries, the closing balance. */
export async function* writeStatementCsv(statement: Statement): AsyncGenerator<string> {
  const { purse, opening, closing, from, until } = statement
  const columns = entryColumns
  yield writeCsvHead(columns)
  let rows: CsvRow<(typeof columns)[number]>[] = [{ time: from, kind: 'opening', ...cellsOfAmount(purse, opening) }]
  for await (const entry of statement.entries()) {
    rows.push(cellsOfEntry(purse, entry))
    if (rows.length < pieceEntries) continue
    yield writeCsvRows({ columns, rows })
    rows = []
  }
  rows.push({ time: until, kind: 'closing', ...cellsOfAmount(purse, closing) })
  yield writeCsvRows({ columns, rows })
}
