import { stringify } from 'csv-stringify/sync'

/** What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"), full-width forms included. */
const formulaBeginning = /^[=+\-@\t\r\n＝＋－＠]/

function guardFormula(text: string): string {
  return formulaBeginning.test(text) ? `'${text}` : text
}

/**
 * Writes rows as CSV (RFC 4180) with CR LF at the ends of lines. A text that a spreadsheet would read as a formula gets
 * an apostrophe in front of it; a number stays a number, also below 0.
 */
export function writeCsv(rows: readonly (readonly (string | number)[])[]): string {
  return stringify(rows as (string | number)[][], { record_delimiter: '\r\n', cast: { string: guardFormula } })
}

/** Takes the apostrophe of `writeCsv` away again. */
export function withoutFormulaGuard(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, '')
}
