import { type CsvRow, writeCsvHead, writeCsvRows } from '../../platform/write-csv.ts'
import { amountIn, unitOfPurse, viewAmount } from '../amount.ts'
import type { AccountPurse } from '../money.tables.ts'
import type { Statement, StatementEntry } from './statement.ts'

/** The columns of a purse's entries in the files of the statement and the ledger. */
export const entryColumns = [
  'time',
  'kind',
  'amount',
  'balance_before',
  'balance_after',
  'unit',
  'reference',
  'note',
  'cause_id',
] as const

function cellsOfAmount(purse: AccountPurse, balance: number): CsvRow<'balance_after' | 'unit'> {
  const amount = amountIn(unitOfPurse(purse), balance)
  return { balance_after: amount, unit: viewAmount(amount).unit }
}

export function cellsOfEntry(purse: AccountPurse, entry: StatementEntry): CsvRow<(typeof entryColumns)[number]> {
  const { at, kind, amount, balanceBefore, balanceAfter, reference, note, causeId } = entry
  return {
    time: at,
    kind,
    amount: amountIn(unitOfPurse(purse), amount),
    balance_before: amountIn(unitOfPurse(purse), balanceBefore),
    ...cellsOfAmount(purse, balanceAfter),
    reference,
    note,
    cause_id: causeId,
  }
}

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
