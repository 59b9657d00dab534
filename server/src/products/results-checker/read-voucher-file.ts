import type { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { VoucherSecrets } from './seal-voucher.ts'

/** A fault of a file, at a line of it (counted from 1). Never repeats the content, which may be a PIN. */
export type VoucherFileProblem = { readonly line: number; readonly message: string }

export type VoucherFileRow =
  | { readonly line: number; readonly voucher: VoucherSecrets }
  | { readonly line: number; readonly message: string }

/**
 * The most characters of a PIN, a serial number or a row, far more than suppliers' files have. A file of another kind fails
 * here before it fills the memory.
 */
const textLengthMax = 200
const rowLengthMax = 10_000

/** Names of columns in suppliers' files, in small letters, without blanks and punctuation. */
const pinNames = ['pin', 'pincode', 'pinno', 'pinnumber', 'voucherpin', 'cardpin']
const serialNumberNames = [
  'serialnumber',
  'serialno',
  'serialnum',
  'serial',
  'sn',
  'voucherserial',
  'voucherserialnumber',
  'cardserial',
  'cardserialnumber',
]

const bareName = (header: string) => header.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

type Columns = { readonly pin: number; readonly serialNumber: number }

function findColumns(headers: readonly string[]): Columns | string {
  const named = (names: readonly string[]) => headers.flatMap((header, index) => (names.includes(bareName(header)) ? index : []))
  const pins = named(pinNames)
  const serialNumbers = named(serialNumberNames)
  if (pins.length > 1 || serialNumbers.length > 1) return 'the PIN or the serial number has more than one column'
  const [pin] = pins
  const [serialNumber] = serialNumbers
  if (pin === undefined || serialNumber === undefined) {
    return 'the first line must name the columns: pin and serial_number (or serial, serial no, S/N)'
  }
  return { pin, serialNumber }
}

/**
 * Control characters, lone surrogates, unassigned characters, line separators, and the sign that replaces bytes which
 * are not UTF-8.
 */
const unprintable = /[\p{Cc}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\ufffd]/u

function problemOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return `${name} is missing`
  if (text.length > textLengthMax) return `${name} has more than ${textLengthMax} characters`
  if (unprintable.test(text)) return `${name} holds characters that cannot be printed`
  return undefined
}

function readRow(line: number, cells: readonly string[], columns: Columns): VoucherFileRow {
  const pin = cells[columns.pin]
  const serialNumber = cells[columns.serialNumber]
  const problem = problemOf('the PIN', pin) ?? problemOf('the serial number', serialNumber)
  if (problem !== undefined || pin === undefined || serialNumber === undefined)
    return { line, message: problem ?? 'is too short' }
  return { line, voucher: { pin, serialNumber } }
}

type ParsedRow = { readonly record: string[]; readonly info: { readonly lines: number } }

/**
 * Reads a file of vouchers of any size, row by row: CSV whose first line names the columns `pin` and `serial_number`, in any
 * order, case and usual spelling; ignores other columns. An unknown header, or a row that is not valid CSV, ends the reading
 * with one problem.
 */
export async function* readVoucherFile(file: Readable): AsyncGenerator<VoucherFileRow> {
  const rows = file.pipe(
    parse({
      bom: true,
      // Any of these may end a line: a file may be joined from files with different line ends.
      record_delimiter: ['\r\n', '\n', '\r'],
      trim: true,
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: rowLengthMax,
    }),
  )
  file.on('error', (error) => rows.destroy(error))
  let columns: Columns | undefined
  try {
    for await (const { record, info } of rows as AsyncIterable<ParsedRow>) {
      if (columns) {
        yield readRow(info.lines, record, columns)
        continue
      }
      const found = findColumns(record)
      if (typeof found === 'string') {
        yield { line: info.lines, message: found }
        return
      }
      columns = found
    }
    if (!columns) yield { line: 1, message: 'the file is empty' }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // The error's message may contain a part of the row, so only its code is shown.
    yield { line: Number(error['lines'] ?? 1), message: `is no CSV (${error.code})` }
  } finally {
    file.destroy()
  }
}
