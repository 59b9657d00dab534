import type { Db } from '../../../platform/database/database.ts'
import { mapInPieces } from '../../../platform/in-pieces.ts'
import { findLosses, type Loss } from '../find-losses.ts'
import { fingerprintChanges } from '../history/fingerprint-changes.ts'
import { inLines, PackageFileError } from '../import-packages.ts'
import { leaveOutUnchanged, type PackageProblem, planPackages } from '../plan-packages.ts'
import { type PackageChange, packageName, type StoredPackage } from '../stored-packages.ts'
import { type PackageEdit, PackageEditError, wantedBy } from './package-edit.ts'

/** What an edit would do. */
export type EditPreview = {
  /** The packages that would change; `index` counts those that the edit names. */
  readonly changes: readonly PackageChange[]
  /** How many packages of the edit already are as the edit wants them. */
  readonly unchanged: number
  /** Everything that would be sold at a loss afterwards, among the packages that the edit names. */
  readonly losses: readonly (Loss & { readonly index: number; readonly name: string })[]
  /** Packages that a file does not name: they stay as they are. */
  readonly notInFile: readonly string[]
  /** The fingerprint of these changes. Whoever makes them sends it back, so that nothing is changed that was not shown. */
  readonly seen: string
}

/** The error that names the problems of an edit: by the lines of a file, else by the packages. */
export function editError(edit: PackageEdit, problems: readonly PackageProblem[]): PackageFileError | PackageEditError {
  if (edit.kind === 'file') return new PackageFileError(inLines(edit.rows, problems))
  return new PackageEditError(problems.map(({ message }) => message))
}

/**
 * Says what an edit would change, and changes nothing. Prices at a loss are named, but not refused.
 *
 * @param stored the packages as they are before the edit
 * @throws PackageEditError or PackageFileError when the edit cannot be made at all
 */
export async function previewEdit(db: Db, edit: PackageEdit, stored: ReadonlyMap<string, StoredPackage>): Promise<EditPreview> {
  const wanted = wantedBy(edit, stored)
  const { changes, problems } = await planPackages(db, wanted, stored, { isBelowCostAllowed: true })
  if (problems.length > 0) throw editError(edit, problems)
  const needed = await leaveOutUnchanged(changes)
  const losses = await mapInPieces(changes, ({ index, next }) =>
    findLosses(next).map((loss) => ({ ...loss, index, name: packageName(next) })),
  )
  const named = new Set(wanted.map(packageName))
  return {
    changes: needed,
    unchanged: changes.length - needed.length,
    losses: losses.flat(),
    notInFile: edit.kind === 'file' ? [...stored.keys()].filter((name) => !named.has(name)).toSorted() : [],
    seen: await fingerprintChanges(needed),
  }
}
