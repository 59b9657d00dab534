import { stringify } from 'csv-stringify/sync'
import { listInPieces } from './in-pieces.ts'

/** The characters that a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"), full-width forms included. */
const formulaBeginning = /^[=+\-@\t\r\n＝＋－＠]/

const formOf = <F extends string, N extends string>(form: F, names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, form])) as Readonly<Record<N, F>>

/**
 * The columns of our CSV files. A column has the same name in commands, at the desk, in the app and in mails. Values are the
 * words of the API (`data`, `completed`); the app's lists of orders and messages use the words of its screens. Amounts of money
 * have two decimals, moments are in Accra's time.
 */
const forms = {
  ...formOf('moment', ['time', 'read_at', 'closed_at']),
  ...formOf('amount', [
    'amount',
    'balance_before',
    'balance_after',
    'balance',
    'price',
    'cost',
    'amount_theirs',
    'amount_ours',
    'amount_by',
  ]),
  ...formOf('amount', ['sales', 'refunds', 'commission', 'commission_earned', 'cost_estimated', 'margin', 'adjustments']),
  ...formOf('amount', ['float', 'cost_per_day', 'base', 'tax', 'price_customer', 'price_agent', 'price_dealer']),
  ...formOf('number', ['orders', 'success_rate', 'median_minutes', 'p95_minutes', 'cost_unknown_orders', 'margin_percent']),
  ...formOf('number', ['credits', 'credits_refunded', 'days_left', 'left', 'sold_in_7_days', 'percent', 'line']),
  ...formOf('number', ['volume_gb', 'stock']),
  ...formOf('text', ['order_id', 'reference', 'account', 'product', 'network', 'variety', 'recipient', 'unit', 'status']),
  ...formOf('text', ['supplier', 'cost_is_estimate', 'kind', 'note', 'cause_id', 'supplier_reference', 'order_reference']),
  ...formOf('text', ['order_status', 'why', 'file_name', 'assigned_to', 'closed_by', 'close_reason', 'actor', 'os_user']),
  ...formOf('text', ['address', 'action', 'subject', 'before', 'after', 'reason', 'details', 'full_name', 'phone', 'id_type']),
  ...formOf('text', ['id_number', 'date_of_birth', 'region', 'location', 'notes', 'claimed_by', 'is_available']),
  ...formOf('text', ['day', 'week', 'month', 'package', 'role', 'purse', 'type', 'rate', 'on', 'is_included', 'is_at_most']),
  ...formOf('text', ['enabled', 'on_sale', 'counted', 'name', 'numbers', 'favourite']),
} as const

/** A price list has two more columns for each supplier. */
export type CsvColumn = keyof typeof forms | `cost_${string}` | `code_${string}`

/** An amount is a number of GHS, or pesewas or credits together with their unit. An unknown value is empty. */
export type CsvCell =
  | string
  | number
  | boolean
  | Date
  | null
  | undefined
  | { readonly unit: 'pesewas' | 'credits'; readonly amount: number }

export type CsvRow<C extends CsvColumn = CsvColumn> = { readonly [K in C]?: CsvCell }

export type CsvTable<C extends CsvColumn = CsvColumn> = { readonly columns: readonly C[]; readonly rows: readonly CsvRow<C>[] }

const isKnown = (column: CsvColumn): column is keyof typeof forms => Object.hasOwn(forms, column)

function writeCell(column: CsvColumn, value: CsvCell): string {
  if (value === null || value === undefined || value === '') return ''
  const form = isKnown(column) ? forms[column] : column.startsWith('cost_') ? 'amount' : 'text'
  if (form === 'moment') return new Date(value as Date | string).toISOString().slice(0, 19).replace('T', ' ')
  if (form === 'amount' && typeof value === 'number') return value.toFixed(2)
  if (typeof value === 'object' && 'unit' in value) {
    return value.unit === 'pesewas' ? (value.amount / 100).toFixed(2) : String(value.amount)
  }
  const text = String(value)
  return form === 'text' && formulaBeginning.test(text) ? `'${text}` : text
}

const write = (lines: readonly (readonly string[])[]) => stringify(lines as string[][], { record_delimiter: '\r\n' })

export function writeCsvHead(columns: readonly CsvColumn[]): string {
  return write([columns])
}

/**
 * Writes rows as CSV (RFC 4180) with CR LF at the ends of lines. A text that a spreadsheet would read as a formula gets
 * an apostrophe in front of it; an amount stays a number, also below 0.
 */
export function writeCsvRows<C extends CsvColumn>({ columns, rows }: CsvTable<C>): string {
  return write(rows.map((row) => columns.map((column) => writeCell(column, row[column]))))
}

export function writeCsv<C extends CsvColumn>(table: CsvTable<C>): string {
  return writeCsvHead(table.columns) + writeCsvRows(table)
}

/** Like `writeCsv`, but lets the event loop do other work between the pieces of a long table. */
export async function writeLongCsv<C extends CsvColumn>({ columns, rows }: CsvTable<C>): Promise<string> {
  const pieces = [writeCsvHead(columns)]
  for await (const piece of listInPieces(rows)) pieces.push(writeCsvRows({ columns, rows: piece }))
  return pieces.join('')
}

/** Removes the apostrophe of `writeCsvRows`. */
export function withoutFormulaGuard(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, '')
}
