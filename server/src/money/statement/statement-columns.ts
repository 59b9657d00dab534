import type { CsvRow } from '../../platform/write-csv.ts'
import { amountIn, unitOfPurse, viewAmount } from '../amount.ts'
import type { AccountPurse } from '../money.tables.ts'
import type { StatementEntry } from './statement.ts'

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

export function cellsOfAmount(purse: AccountPurse, balance: number): CsvRow<'balance_after' | 'unit'> {
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
