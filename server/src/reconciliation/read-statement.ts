import { pipeline, type Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { type Pesewas, pesewas } from '../money/pesewas.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'

/** One line of a supplier's statement. Amounts in whole pesewas. */
export type StatementLine = {
  /** The number of the line in the file; the header is line 1. */
  readonly line: number
  /** Our reference of the attempt, as we sent it. */
  readonly reference: string
  readonly amountPesewas: Pesewas
  /** The commission of the line. Null: the statement has no column for it, or the cell is empty. */
  readonly commissionPesewas: Pesewas | null
  readonly at: Date | null
  /** End of the period in which the line was charged. Later than `at` when the statement names only the day. */
  readonly until: Date | null
  /** False when the statement says that the line was not charged, for example because it failed. */
  readonly isBilled: boolean
}

export type StatementProblem = { readonly line: number; readonly message: string }

/** A file that cannot be imported as a statement. */
export class StatementError extends OperatorRequestError {
  override readonly name = 'StatementError'
}

type Column = 'reference' | 'amount' | 'commission' | 'status' | 'date'

/** Names that suppliers use for each column, letters and digits only. The first match counts. */
const names: Readonly<Record<Column, readonly string[]>> = {
  reference: ['clientreference', 'ourreference', 'merchantreference', 'incomingapiref', 'externalreference', 'reference', 'ref'],
  amount: ['amountdebited', 'debit', 'cost', 'totalamount', 'amountghs', 'amount', 'price', 'total'],
  commission: ['commission', 'commissionearned', 'metacommission', 'commissionghs'],
  status: ['status', 'transactionstatus', 'state', 'result'],
  date: ['date', 'datetime', 'timestamp', 'transactiondate', 'createdat', 'time'],
}

/** Words for a line that was not billed in the end. Any other word counts as billed. */
const unbilled = new Set(['failed', 'failure', 'unpaid', 'reversed', 'refunded', 'cancelled', 'canceled', 'rejected', 'declined'])

/**
 * In characters. We assume that no line of a statement is as long. A file of another kind fails here before it fills the
 * memory.
 */
const lineLengthMax = 100_000

/**
 * In characters. Longer than any reference that suppliers write. PostgreSQL refuses a difference whose reference takes more
 * than some 2,700 bytes, because it is part of an index.
 */
const referenceLengthMax = 500

/**
 * No charge has more digits before the point; a number of a phone has. The sum of all lines of a file is still exact in
 * pesewas, so every answer can show it.
 */
const wholeDigitsMax = 8

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** An amount, or its fault as the end of a sentence about the line. */
type ReadAmount = { readonly pesewas: Pesewas } | { readonly problem: string }

/**
 * Reads an amount such as `20`, `20.0000`, `1,204.50` or `GHS 20.00`. A comma may only separate thousands: `20,00` is
 * refused, because it could mean twenty cedis or two thousand. An amount below zero is refused too: it could be a charge or
 * a refund.
 * @param isCut drops a part of a pesewa instead of refusing it: suppliers write commissions with four decimals
 */
export function readStatementAmount(text: string, { isCut }: { readonly isCut: boolean }): ReadAmount {
  const shown = JSON.stringify(text.slice(0, 50))
  const bare = text.replaceAll(/\s|ghs|gh₵|₵/gi, '').replace(/^\((.*)\)$|^(.*)-$/, '-$1$2')
  const [, sign = '', whole, fraction = ''] = /^([-+\u2212\u2013]?)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,8}))?$/.exec(bare) ?? []
  const digits = whole?.replaceAll(',', '').replace(/^0+/, '')
  if (digits === undefined || digits.length > wholeDigitsMax) return { problem: `that can be read: ${shown}` }
  const read = pesewas(Number(digits) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0')))
  if (sign !== '' && sign !== '+' && read > 0) return { problem: `of a charge: ${shown} is below zero` }
  if (!isCut && /[1-9]/.test(fraction.slice(2))) return { problem: `in whole pesewas: ${shown}` }
  return { pesewas: read }
}

const dayMilliseconds = 24 * 3_600 * 1_000

/** Reads `2026-07-31`, `2026-07-31 14:05[:09]`, `31/07/2026 14:05`; without a zone it is UTC, which is Accra's time. */
export function statementTime(text: string): { at: Date; until: Date } | undefined {
  const iso = text.trim().replace(/^(\d{2})[/.-](\d{2})[/.-](\d{4})/, '$3-$2-$1')
  const [, day, time = '', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?))?\s*(Z|[-+]\d{2}:?\d{2})?$/.exec(iso) ?? []
  // JavaScript takes 30 February for 2 March.
  const midnight = new Date(`${day}T00:00:00Z`)
  if (day === undefined || Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined
  const at = new Date(time === '' ? `${day}T00:00:00Z` : `${day}T${time}${zone}`)
  // Another year is an error in the file, and PostgreSQL cannot store every year that JavaScript can.
  const year = at.getUTCFullYear()
  if (Number.isNaN(year) || year < 1_900 || year > 2_999) return undefined
  return { at, until: time === '' ? new Date(at.getTime() + dayMilliseconds) : at }
}

type Columns = Readonly<Record<Column, number>>

/** An error names at most this many columns: a file of another kind may have thousands. */
const columnsShown = 20

function showHeader(header: readonly string[]): string {
  const shown = header.slice(0, columnsShown).map((name) => name.slice(0, 40).replaceAll(/\p{C}/gu, '?'))
  const more = header.length - shown.length
  return `${shown.join(', ') || 'nothing'}${more > 0 ? `, and ${more} more` : ''}`
}

/** @throws StatementError naming the columns of the file and the missing ones */
function findColumns(header: readonly string[]): Columns {
  const known = header.map(plain)
  const find = (column: Column) => {
    const name = names[column].find((candidate) => known.includes(candidate))
    return name === undefined ? -1 : known.indexOf(name)
  }
  const columns = {
    reference: find('reference'),
    amount: find('amount'),
    commission: find('commission'),
    status: find('status'),
    date: find('date'),
  }
  for (const column of ['reference', 'amount'] as const) {
    if (columns[column] >= 0) continue
    const wanted = names[column].slice(0, 3).join(', ')
    throw new StatementError(`The file has no column for the ${column} (such as ${wanted}); it has: ${showHeader(header)}.`)
  }
  return columns
}

function readLine(line: number, cells: readonly string[], columns: Columns): StatementLine | StatementProblem {
  const cell = (column: Column) => (columns[column] < 0 ? '' : (cells[columns[column]] ?? '').trim())
  const reference = cell('reference')
  if (reference === '') return { line, message: 'has no reference' }
  if (reference.length > referenceLengthMax) {
    return { line, message: `has a reference of more than ${referenceLengthMax} characters` }
  }
  if (/\p{Cc}/u.test(reference)) return { line, message: 'has a reference with control characters' }
  const amount = readStatementAmount(cell('amount'), { isCut: false })
  if ('problem' in amount) return { line, message: `has no amount ${amount.problem}` }
  const commission = cell('commission') === '' ? { pesewas: null } : readStatementAmount(cell('commission'), { isCut: true })
  if ('problem' in commission) return { line, message: `has no commission ${commission.problem}` }
  const time = statementTime(cell('date'))
  const isBilled = !unbilled.has(plain(cell('status')))
  const amounts = { amountPesewas: amount.pesewas, commissionPesewas: commission.pesewas }
  return { line, reference, ...amounts, at: time?.at ?? null, until: time?.until ?? null, isBilled }
}

/** Reads pieces of the file until the whole header is there. The last piece may also hold lines after the header. */
async function readStart(pieces: AsyncIterator<Buffer | string>): Promise<Buffer> {
  let start = Buffer.alloc(0)
  while (start.length < lineLengthMax && !/[\r\n]/.test(start.toString('latin1').trimStart())) {
    const piece = await pieces.next()
    if (piece.done) break
    start = Buffer.concat([start, Buffer.from(piece.value)])
  }
  return start
}

/**
 * Finds the character that separates the cells. The header decides, because a statement with semicolons may have commas
 * in its amounts. Text in quotes does not count.
 */
function delimiterOf(start: Buffer): string {
  // In UTF-16, which spreadsheets may write, every other byte of these characters is 0.
  const text = start.toString('latin1').replaceAll('\0', '').trimStart()
  return /^(?:"[^"]*"|[^",;\t\r\n])*([,;\t])/.exec(text)?.[1] ?? ','
}

/** The file, with a turn of the event loop after each piece. Pieces that wait in a stream would be parsed without a pause. */
async function* fileFrom(start: Buffer, pieces: AsyncIterator<Buffer | string>): AsyncGenerator<Buffer | string> {
  yield start
  for await (const piece of { [Symbol.asyncIterator]: () => pieces }) {
    yield piece
    await setImmediate()
  }
}

/**
 * Reads a supplier's statement as it streams in: CSV with a header, whose columns may have many names. Yields a problem for
 * each line that cannot be read.
 * @throws StatementError when the file is empty, is no CSV or lacks a required column
 */
export async function* readStatement(file: Readable): AsyncGenerator<StatementLine | StatementProblem> {
  const pieces = file.iterator() as AsyncIterator<Buffer | string>
  const start = await readStart(pieces)
  const rows = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: lineLengthMax,
    delimiter: delimiterOf(start),
  })
  // `rows`, which is read below, throws the errors of the pipeline.
  pipeline(fileFrom(start, pieces), rows, () => undefined)
  let columns: Columns | undefined
  try {
    for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (columns) yield readLine(info.lines, record, columns)
      else columns = findColumns(record)
    }
  } catch (error) {
    if (error instanceof CsvError) throw new StatementError(`The file cannot be read as CSV: ${error.message}`, { cause: error })
    throw error
  } finally {
    file.destroy()
  }
  if (!columns) throw new StatementError('The file is empty.')
}
