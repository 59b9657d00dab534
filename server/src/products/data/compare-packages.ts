import type { Readable } from 'node:stream'
import type { Db } from '../../platform/database/database.ts'
import { inLines, PackageFileError } from './import-packages.ts'
import { isUnchanged, planPackages } from './plan-packages.ts'
import { readPackageFile } from './read-package-file.ts'
import { type PackageChange, packageName, readPackages, type StoredPackage } from './stored-packages.ts'

/** One cell of a price list: amounts in GHS, null where there is none. */
export type CellValue = number | string | boolean | null

/** What an import would change in one package. */
export type PackageDifference = {
  readonly line: number
  /** Such as `MTN 1GB`. */
  readonly name: string
  readonly change: 'new' | 'changed' | 'unchanged'
  /** The columns that would change, by their names in the file. */
  readonly columns: ReadonlyMap<string, { readonly before: CellValue; readonly after: CellValue }>
}

/** The result of comparing a price list with the database. */
export type PackageComparison = {
  readonly differences: readonly PackageDifference[]
  /** Packages that the file does not name: an import leaves them as they are. */
  readonly notInFile: readonly string[]
}

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

function differingColumns({ stored, next }: PackageChange): PackageDifference['columns'] {
  const [before, after] = [stored ? cellsOf(stored) : none, cellsOf(next)]
  const columns = [...new Set([...before.keys(), ...after.keys()])]
  return new Map(
    columns
      .map((column) => [column, { before: before.get(column) ?? null, after: after.get(column) ?? null }] as const)
      .filter(([, cell]) => cell.before !== cell.after),
  )
}

function changeOf(change: PackageChange): PackageDifference['change'] {
  if (change.stored === undefined) return 'new'
  return isUnchanged(change) ? 'unchanged' : 'changed'
}

/**
 * Compares a price list with what is stored, as `importPackages` would, and changes nothing.
 *
 * @throws PackageFileError with every bad row and its line, where an import would refuse the file
 */
export async function comparePackages(
  db: Db,
  request: { file: Readable; isBelowCostAllowed: boolean },
): Promise<PackageComparison> {
  const { packages, problems: unreadable } = await readPackageFile(request.file)
  if (unreadable.length > 0) throw new PackageFileError(unreadable)
  const stored = await readPackages(db)
  const wanted = packages.map((row) => row.wanted)
  const { changes, problems } = await planPackages(db, wanted, stored, request)
  if (problems.length > 0) throw new PackageFileError(inLines(packages, problems))
  const named = new Set(wanted.map(packageName))
  return {
    differences: changes.map((change) => ({
      line: packages[change.index]?.line ?? 0,
      name: packageName(change.next),
      change: changeOf(change),
      columns: differingColumns(change),
    })),
    notInFile: [...stored.keys()].filter((name) => !named.has(name)).toSorted(),
  }
}
