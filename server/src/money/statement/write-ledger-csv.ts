import type { Db } from '../../platform/database/database.ts'
import { writeCsv } from '../../platform/write-csv.ts'
import { amountIn, unitOfPurse, viewAmount } from '../amount.ts'
import { type LedgerQuery, listLedger } from './list-ledger.ts'
import type { NameOrders } from './statement.ts'
import { momentInAccra } from './statement-words.ts'

/** How many entries are read and written at a time, so that memory never holds all of a long list. */
const pieceEntries = 500

const header = ['time', 'kind', 'amount', 'balance_before', 'balance_after', 'unit', 'reference', 'note', 'cause_id']

/** Writes all entries that fit as CSV, a piece at a time, newest first. */
export async function* writeLedgerCsv(
  db: Db,
  query: Omit<LedgerQuery, 'limit' | 'before'>,
  nameOrders: NameOrders,
): AsyncGenerator<string> {
  const unit = unitOfPurse(query.purse)
  // Amounts are written as numbers. As texts, amounts such as -35.00 would look like formulas, and `writeCsv` would put
  // an apostrophe before them.
  const inColumn = (amount: number) => viewAmount(amountIn(unit, amount)).amount
  yield writeCsv([header])
  let before: number | null | undefined
  while (before !== null) {
    const { entries, next } = await listLedger(db, { ...query, before, limit: pieceEntries }, nameOrders)
    const rows = entries.map(({ at, kind, amount, balanceBefore, balanceAfter, reference, note, causeId }) => [
      momentInAccra(at),
      kind,
      ...[amount, balanceBefore, balanceAfter].map(inColumn),
      unit === 'credits' ? 'credits' : 'GHS',
      reference,
      note ?? '',
      causeId,
    ])
    if (rows.length > 0) yield writeCsv(rows)
    before = next
  }
}
