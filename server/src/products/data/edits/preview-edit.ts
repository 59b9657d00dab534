import type { Db } from '../../../platform/database/database.ts'
import { mapInPieces } from '../../../platform/in-pieces.ts'
import { findLosses, type Loss } from '../catalogue/find-losses.ts'
import { PackageFileError, problemsByLine } from '../catalogue/import-packages.ts'
import { leaveOutUnchanged, type PackageProblem, planPackages } from '../catalogue/plan-packages.ts'
import { fingerprintChanges } from '../history/fingerprint-changes.ts'
import { type PackageChange, packageName, type StoredPackage } from '../stored-packages.ts'
import { type PackageEdit, PackageEditError, wantedPackagesOf } from './package-edit.ts'

export type EditPreview = {
  /** Packages that would change. `index` is the place of a package in the edit, from 0. */
  readonly changes: readonly PackageChange[]
  readonly unchanged: number
  /** Offers whose cost would be above the lowest price after the edit, one per package and supplier. */
  readonly losses: readonly (Loss & { readonly index: number; readonly name: string })[]
  /** Packages that are not in the file. They stay as they are. */
  readonly notInFile: readonly string[]
  /** Fingerprint of these changes. The request to make them must contain it, so that only shown changes are made. */
  readonly seen: string
}

/** Makes the error that lists an edit's problems: by line for a file, by package for other edits. */
export function editError(edit: PackageEdit, problems: readonly PackageProblem[]): PackageFileError | PackageEditError {
  if (edit.kind === 'file') return new PackageFileError(problemsByLine(edit.rows, problems))
  return new PackageEditError(problems.map(({ message }) => message))
}

/**
 * Calculates an edit's changes without making them. Lists prices below cost, but does not refuse them.
 * @param stored the packages before the edit
 * @throws PackageEditError or PackageFileError when the edit is invalid
 */
export async function previewEdit(db: Db, edit: PackageEdit, stored: ReadonlyMap<string, StoredPackage>): Promise<EditPreview> {
  const wanted = wantedPackagesOf(edit, stored)
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
