import { readAccount } from '../accounts/find-account.ts'
import { readConfig } from '../config.ts'
import { unitOfPurse } from '../money/amount.ts'
import type { AccountPurse } from '../money/money.tables.ts'
import { readHeading, readWalletStatement } from '../money/statement/read-wallet-statement.ts'
import { type Statement, StatementBrokenError, type StatementEntry } from '../money/statement/statement.ts'
import { amountInColumn, amountInWords, entryWords, momentInAccra, purseWords } from '../money/statement/statement-words.ts'
import { writeStatementCsv } from '../money/statement/write-statement-csv.ts'
import { nameOrders } from '../orders/queries/name-orders.ts'
import type { Db } from '../platform/database/database.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import { products } from '../products/products.ts'
import { CommandError, UsageError } from './frame/command-error.ts'
import type { OutputFile } from './frame/output-file.ts'
import { isJsonOutput, printResult } from './frame/print-result.ts'
import { readMonth, readPeriod } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'
import { printPieces, writePieces, writeWholeFile } from './frame/write-whole-file.ts'

export type StatementOptions = {
  account: string
  purse?: AccountPurse
  from?: string
  to?: string
  month?: string
  csv?: OutputFile
  pdf?: OutputFile
}

type Period = { readonly from?: Date; readonly until?: Date }

/** Reads the period: `--month`, a calendar month in Accra's time, or `--from` and `--to`. */
function periodOf({ from, to, month }: StatementOptions): Period {
  if (month === undefined) {
    const period = readPeriod({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) })
    // The period excludes its end, so one millisecond is added to the last moment of `--to`.
    return { ...(period.from && { from: period.from }), ...(period.to && { until: new Date(period.to.getTime() + 1) }) }
  }
  if (from !== undefined || to !== undefined) throw new UsageError('--month stands for itself: leave --from and --to out.')
  return readMonth('--month', month)
}

/** GHS with decimals, or whole credits. */
function inJson({ purse }: Statement, amount: number): number {
  return unitOfPurse(purse) === 'credits' ? amount : amount / 100
}

function viewEntry(statement: Statement, entry: StatementEntry) {
  const { at, kind, amount, balanceBefore, balanceAfter, reference, note, causeId } = entry
  return {
    at: at.toISOString(),
    kind,
    amount: inJson(statement, amount),
    balance_before: inJson(statement, balanceBefore),
    balance_after: inJson(statement, balanceAfter),
    reference,
    note,
    cause_id: causeId,
  }
}

/** The statement without its entries, which may be many and are printed one by one. */
function viewTotals(statement: Statement) {
  const { accountId, purse, from, until, opening, closing, count, byKind, byMonth } = statement
  return {
    account_id: accountId,
    purse,
    unit: unitOfPurse(purse) === 'credits' ? 'credits' : 'GHS',
    from: from?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    opening: inJson(statement, opening),
    closing: inJson(statement, closing),
    count,
    by_kind: byKind.map((total) => ({ ...total, amount: inJson(statement, total.amount) })),
    by_month: byMonth.map((total) => ({
      ...total,
      in: inJson(statement, total.in),
      out: inJson(statement, total.out),
      closing: inJson(statement, total.closing),
    })),
  }
}

async function* inJsonPieces(statement: Statement): AsyncGenerator<string> {
  yield `${JSON.stringify(viewTotals(statement)).slice(0, -1)},"entries":[`
  let isFirst = true
  for await (const entry of statement.entries()) {
    yield `${isFirst ? '' : ','}${JSON.stringify(viewEntry(statement, entry))}`
    isFirst = false
  }
  yield ']}\n'
}

async function* inTextPieces(statement: Statement): AsyncGenerator<string> {
  const { purse, opening, closing, count, byKind } = statement
  const line = (time: string, kind: string, amounts: readonly string[], rest: string) =>
    `${time.padEnd(19)}  ${kind.padEnd(18)}  ${amounts.map((amount) => amount.padStart(12)).join('  ')}  ${rest}`.trimEnd()
  yield `${line('time (Accra)', purseWords[purse], ['amount', 'before', 'after'], 'reference')}\n`
  yield `${line('', 'Opening balance', ['', '', amountInColumn(purse, opening)], '')}\n`
  for await (const { at, kind, amount, balanceBefore, balanceAfter, reference, note } of statement.entries()) {
    const amounts = [amount, balanceBefore, balanceAfter].map((each) => amountInColumn(purse, each))
    const rest = note === null ? reference : `${reference}  ${note}`
    yield `${line(momentInAccra(at), entryWords[kind], amounts, rest)}\n`
  }
  yield `${line('', 'Closing balance', ['', '', amountInColumn(purse, closing)], '')}\n`
  for (const total of byKind) yield `${entryWords[total.kind]}: ${total.count}, ${amountInWords(purse, total.amount)}\n`
  yield `${count} ${count === 1 ? 'entry' : 'entries'}. They add up.\n`
}

async function writePdf(db: Db, statement: Statement, account: { name: string; email: string }, file: OutputFile): Promise<void> {
  const { writeStatementPdf } = await import('../money/statement/write-statement-pdf.ts')
  const heading = await readHeading(db, { accountName: account.name, accountEmail: account.email })
  await writeWholeFile(file, (out) => writeStatementPdf(statement, heading, out))
}

/** Runs `makola wallet statement` and `makola commission statement`. */
export async function runStatement(options: StatementOptions): Promise<void> {
  const period = periodOf(options)
  const { csv, pdf, purse = 'main' } = options
  await withDatabase(readConfig(), async (db) => {
    const account = await readAccount(db, options.account)
    const request = { accountId: account.accountId, purse, ...period }
    try {
      const statement = await readWalletStatement(db, request, (reading, orderIds) => nameOrders(reading, products, orderIds))
      if (csv !== undefined) await writeWholeFile(csv, writePieces(writeStatementCsv(statement)))
      if (pdf !== undefined) await writePdf(db, statement, account, pdf)
      if (csv === undefined && pdf === undefined) {
        return await printPieces(isJsonOutput() ? inJsonPieces(statement) : inTextPieces(statement))
      }
      const files = [csv, pdf].flatMap((file) => file?.path ?? [])
      const { opening, closing, count } = statement
      const words = `${count} ${count === 1 ? 'entry' : 'entries'} from ${amountInWords(purse, opening)} to ${amountInWords(purse, closing)} are in ${files.join(' and ')}.`
      printResult({ ...viewTotals(statement), csv: csv?.path ?? null, pdf: pdf?.path ?? null }, words)
    } catch (error) {
      if (error instanceof RefusalError)
        throw new CommandError(
          'No statement can be given: the entries of this time were put away. `makola archive list` names the month, and `makola archive bring-back` reads it in again.',
        )
      if (!(error instanceof StatementBrokenError)) throw error
      throw new CommandError(`No statement can be given. ${error.message} Run \`makola audit\`.`)
    }
  })
}
