import type { Readable } from 'node:stream'
import type { Db } from '../../../platform/database/database.ts'
import { type DifferingColumns, differingColumns } from '../history/package-cells.ts'
import { type PackageChange, packageName, readPackages } from '../stored-packages.ts'
import { PackageFileError, problemsByLine } from './import-packages.ts'
import { isUnchanged, planPackages } from './plan-packages.ts'
import { readPackageFile } from './read-package-file.ts'

export type PackageDifference = {
  readonly line: number
  /** Such as `MTN 1GB`. */
  readonly name: string
  readonly change: 'new' | 'changed' | 'unchanged'
  readonly columns: DifferingColumns
}

export type PackageComparison = {
  readonly differences: readonly PackageDifference[]
  /** Packages that are not in the file. An import leaves them alone. */
  readonly notInFile: readonly string[]
}

function changeOf(change: PackageChange): PackageDifference['change'] {
  if (change.stored === undefined) return 'new'
  return isUnchanged(change) ? 'unchanged' : 'changed'
}

/**
 * Compares a price list with the stored one, as `importPackages` would, and changes nothing.
 * @throws PackageFileError with the bad rows and their lines, where an import would refuse the file
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
  if (problems.length > 0) throw new PackageFileError(problemsByLine(packages, problems))
  const named = new Set(wanted.map(packageName))
  return {
    differences: changes.map((change) => ({
      line: packages[change.index]?.line ?? 0,
      name: packageName(change.next),
      change: changeOf(change),
      columns: differingColumns(change.stored, change.next),
    })),
    notInFile: [...stored.keys()].filter((name) => !named.has(name)).toSorted(),
  }
}
