import type { StoredPackage } from '../stored-packages.ts'

/** One cell of a price list. Amounts are in GHS; an empty cell is null. */
export type CellValue = number | string | boolean | null

/** The columns that differ between two states of a package, by their names in a price list. */
export type DifferingColumns = ReadonlyMap<string, { readonly before: CellValue; readonly after: CellValue }>

const none: ReadonlyMap<string, CellValue> = new Map()

/** A package as a row of a price list, with the state of its offers. */
function cellsOf(stored: StoredPackage): Map<string, CellValue> {
  const offers = [...stored.offers].flatMap(([supplier, { code, costPesewas, closedAt }]): [string, CellValue][] => [
    [`cost_${supplier}`, costPesewas / 100],
    [`code_${supplier}`, code],
    [`is_closed_${supplier}`, closedAt !== null],
  ])
  return new Map<string, CellValue>([
    ['price_customer', stored.priceCustomer / 100],
    ['price_agent', stored.priceAgent / 100],
    ['price_dealer', stored.priceDealer / 100],
    ['is_available', stored.isAvailable],
    ['stock', stored.stock],
    ...offers,
  ])
}

/** Differences between two states of a package; for a new package, all its columns with a value. */
export function differingColumns(before: StoredPackage | undefined, after: StoredPackage): DifferingColumns {
  const [was, is] = [before ? cellsOf(before) : none, cellsOf(after)]
  const columns = [...new Set([...was.keys(), ...is.keys()])]
  return new Map(
    columns
      .map((column) => [column, { before: was.get(column) ?? null, after: is.get(column) ?? null }] as const)
      .filter(([, cell]) => cell.before !== cell.after),
  )
}
