import { stringify } from 'csv-stringify/sync'

/** The library guards every beginning of a formula except a line feed. */
function guardLineFeed(text: string): string {
  return text.startsWith('\n') ? `'${text}` : text
}

/**
 * Writes rows as CSV (RFC 4180), lines ended by CR LF. A cell that a spreadsheet would take for a formula is made text by
 * an apostrophe in front of it.
 */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return stringify(rows as string[][], { escape_formulas: true, record_delimiter: '\r\n', cast: { string: guardLineFeed } })
}

/** Takes the apostrophe of `writeCsv` away again. */
export function withoutFormulaGuard(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, '')
}
