import { writeCsv } from '../../platform/write-csv.ts'
import { amountIn, unitOfPurse, viewAmount } from '../amount.ts'
import type { Statement } from './statement.ts'

/** Entries of one piece of text. */
const pieceEntries = 500

/** Writes a statement as CSV, a piece at a time: the opening balance, the entries, the closing balance. */
export async function* writeStatementCsv(statement: Statement): AsyncGenerator<string> {
  const { purse, opening, closing, from, until } = statement
  // Amounts are written as numbers. As texts, amounts such as -35.00 would look like formulas, and `writeCsv` would put
  // an apostrophe before them.
  const inColumn = (amount: number) => viewAmount(amountIn(unitOfPurse(purse), amount)).amount
  const header = ['at', 'kind', 'amount', 'balance_before', 'balance_after', 'reference', 'note', 'cause_id']
  yield writeCsv([header, [from?.toISOString() ?? '', 'opening', '', '', inColumn(opening), '', '', '']])
  let piece: (string | number)[][] = []
  for await (const { at, kind, amount, balanceBefore, balanceAfter, reference, note, causeId } of statement.entries()) {
    const amounts = [amount, balanceBefore, balanceAfter].map(inColumn)
    piece.push([at.toISOString(), kind, ...amounts, reference, note ?? '', causeId])
    if (piece.length < pieceEntries) continue
    yield writeCsv(piece)
    piece = []
  }
  yield writeCsv([...piece, [until?.toISOString() ?? '', 'closing', '', '', inColumn(closing), '', '', '']])
}
