import type { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { pesewasFromText } from '../../../money/pesewas.ts'
import { withoutFormulaGuard } from '../../../platform/write-csv.ts'
import type { PackageOffer } from '../stored-packages.ts'
import type { WantedPackage } from './write-packages.ts'

/** A fault of a file, at a line of it (counted from 1). */
export type FileProblem = { readonly line: number; readonly message: string }

const requiredColumns = ['network', 'volume_gb', 'price_customer', 'price_agent', 'price_dealer'] as const
const optionalColumns = ['is_available', 'stock'] as const
const offerColumn = /^(cost|code)_(.+)$/

/**
 * The most characters of a row, far more than a price list needs. A file of another kind fails here before it fills the
 * memory.
 */
const rowLengthMax = 100_000

/** Fifty times the largest price list that we know. Writing more at once would delay other requests. */
export const rowsMax = 5_000

type Row = { readonly cells: ReadonlyMap<string, string>; readonly problems: string[] }

function cell(row: Row, column: string): string {
  return row.cells.get(column) ?? ''
}

function readPrice(row: Row, column: string) {
  const amount = pesewasFromText(cell(row, column))
  if (amount !== undefined && amount > 0) return amount
  row.problems.push(`${column} must be an amount in GHS above 0 such as 4.50, not ${JSON.stringify(cell(row, column))}`)
  return undefined
}

function readVolume(row: Row): number | undefined {
  const text = cell(row, 'volume_gb')
  const volume = Number(text)
  if (/^\d{1,6}(\.\d{1,3})?$/.test(text) && volume > 0) return volume
  row.problems.push(`volume_gb must be a number above 0 with at most 3 decimals, not ${JSON.stringify(text)}`)
  return undefined
}

function readAvailability(row: Row): boolean | undefined {
  const text = cell(row, 'is_available').toLowerCase()
  if (text === '') return undefined
  if (text === 'true' || text === 'yes' || text === '1') return true
  if (text === 'false' || text === 'no' || text === '0') return false
  row.problems.push(`is_available must be true or false, not ${JSON.stringify(text)}`)
  return undefined
}

/** An empty cell means unlimited; without the column the stock stays as it is. */
function readStock(row: Row): number | null | undefined {
  const text = row.cells.get('stock')
  if (text === undefined || text === '') return text === undefined ? undefined : null
  if (/^\d{1,12}$/.test(text)) return Number(text)
  row.problems.push(`stock must be a whole number, or empty for unlimited, not ${JSON.stringify(text)}`)
  return undefined
}

function readOffers(row: Row, suppliers: readonly string[]): Map<string, PackageOffer | null> {
  const offers = new Map<string, PackageOffer | null>()
  for (const supplier of suppliers) {
    const code = cell(row, `code_${supplier}`)
    const isEmpty = code === '' && cell(row, `cost_${supplier}`) === ''
    if (isEmpty) {
      offers.set(supplier, null)
      continue
    }
    if (code === '') row.problems.push(`code_${supplier} is missing beside its cost`)
    const costPesewas = readPrice(row, `cost_${supplier}`)
    if (costPesewas !== undefined) offers.set(supplier, { code, costPesewas })
  }
  return offers
}

function readRow(row: Row, suppliers: readonly string[]): WantedPackage | undefined {
  const network = cell(row, 'network')
  if (network === '') row.problems.push('network is missing')
  const volumeGb = readVolume(row)
  const priceCustomer = readPrice(row, 'price_customer')
  const priceAgent = readPrice(row, 'price_agent')
  const priceDealer = readPrice(row, 'price_dealer')
  const isAvailable = readAvailability(row)
  const stock = readStock(row)
  const offers = readOffers(row, suppliers)
  if (row.problems.length > 0 || volumeGb === undefined) return undefined
  if (priceCustomer === undefined || priceAgent === undefined || priceDealer === undefined) return undefined
  return {
    network,
    volumeGb,
    priceCustomer,
    priceAgent,
    priceDealer,
    offers,
    ...(isAvailable === undefined ? {} : { isAvailable }),
    ...(stock === undefined ? {} : { stock }),
  }
}

/** Supplier names come from the columns, so a misspelt column must be reported: each `cost_` column needs its `code_` column. */
function checkColumns(columns: readonly string[]): { suppliers: string[]; problems: string[] } {
  const suppliers = new Set<string>()
  const problems: string[] = []
  for (const column of requiredColumns) if (!columns.includes(column)) problems.push(`the column ${column} is missing`)
  for (const column of columns) {
    if (columns.indexOf(column) !== columns.lastIndexOf(column)) problems.push(`the column ${column} stands there twice`)
    if ([...requiredColumns, ...optionalColumns].some((known) => known === column)) continue
    const [, kind, supplier] = offerColumn.exec(column) ?? []
    if (kind === undefined || supplier === undefined) {
      problems.push(`the column ${JSON.stringify(column)} is not known`)
      continue
    }
    suppliers.add(supplier)
    const partner = `${kind === 'cost' ? 'code' : 'cost'}_${supplier}`
    if (!columns.includes(partner)) problems.push(`the column ${column} needs ${partner} beside it`)
  }
  return { suppliers: [...suppliers], problems: [...new Set(problems)] }
}

type ParsedRow = { readonly record: string[]; readonly info: { readonly lines: number } }

/**
 * Reads a price list: CSV with the columns network, volume_gb, price_customer, price_agent and price_dealer (GHS),
 * optionally is_available and stock, and `cost_<supplier>` with `code_<supplier>` for each supplier. Reports every bad row
 * with its line.
 */
export async function readPackageFile(
  file: Readable,
): Promise<{ packages: { line: number; wanted: WantedPackage }[]; problems: FileProblem[] }> {
  const packages: { line: number; wanted: WantedPackage }[] = []
  const problems: FileProblem[] = []
  const lines = new Map<string, number>()
  let columns: string[] | undefined
  let suppliers: string[] = []

  function take({ record, info: { lines: line } }: ParsedRow): boolean {
    if (!columns) {
      columns = record
      const checked = checkColumns(record)
      suppliers = checked.suppliers
      problems.push(...checked.problems.map((message) => ({ line, message })))
      return problems.length === 0
    }
    if (record.length !== columns.length) {
      problems.push({ line, message: `has ${record.length} cells instead of ${columns.length}` })
      return true
    }
    const row: Row = {
      cells: new Map(columns.map((column, index) => [column, withoutFormulaGuard(record[index] ?? '')])),
      problems: [],
    }
    const wanted = readRow(row, suppliers)
    problems.push(...row.problems.map((message) => ({ line, message })))
    if (!wanted) return true
    const name = `${wanted.network} ${wanted.volumeGb}`
    const earlier = lines.get(name)
    if (earlier !== undefined) problems.push({ line, message: `${name}GB stands there already, in line ${earlier}` })
    lines.set(name, line)
    packages.push({ line, wanted })
    if (packages.length <= rowsMax) return true
    problems.push({ line, message: `the file has more than ${rowsMax} packages` })
    return false
  }

  const rows = file.pipe(
    parse({ bom: true, trim: true, info: true, skip_empty_lines: true, relax_column_count: true, max_record_size: rowLengthMax }),
  )
  file.on('error', (error) => rows.destroy(error))
  try {
    for await (const row of rows as AsyncIterable<ParsedRow>) if (!take(row)) break
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    problems.push({ line: Number(error['lines'] ?? 1), message: error.message })
  } finally {
    file.destroy()
  }
  if (!columns && problems.length === 0) problems.push({ line: 1, message: 'the file is empty' })
  return { packages, problems }
}
