import type { Readable } from 'node:stream'
import type { Db } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { OperatorRequestError } from '../../../platform/operator-request-error.ts'
import { releaseWaitingOrders } from '../release-waiting-orders.ts'
import { type FileProblem, readPackageFile } from './read-package-file.ts'
import { type PackageProblem, type WantedPackage, writePackages } from './write-packages.ts'

/** The message lists at most this many problems, because nobody reads more. */
const problemsShownMax = 20

/** A price list with bad rows. Nothing was imported; the message lists the rows by line. */
export class PackageFileError extends OperatorRequestError {
  override readonly name = 'PackageFileError'
  readonly problems: readonly FileProblem[]
  constructor(problems: readonly FileProblem[]) {
    const shown = problems.slice(0, problemsShownMax).map(({ line, message }) => `line ${line}: ${message}`)
    const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : []
    super(`Nothing was imported. ${[...shown, ...more].join('; ')}.`)
    this.problems = problems
  }
}

type FileRow = { readonly line: number; readonly wanted: WantedPackage }

/** Converts problems of packages into problems of lines of the file. */
export function problemsByLine(packages: readonly FileRow[], problems: readonly PackageProblem[]): FileProblem[] {
  return problems.map(({ index, message }) => ({ line: packages[index]?.line ?? 0, message }))
}

/**
 * Imports a price list, all of it or nothing.
 * @param request.isBelowCostAllowed accepts prices below a supplier's cost
 * @returns how many packages were new or changed, and how many unchanged
 * @throws PackageFileError with the bad rows and their lines
 */
export async function importPackages(
  db: Db,
  request: { file: Readable; isBelowCostAllowed: boolean; actor: string },
): Promise<{ imported: number; skipped: number }> {
  const { packages, problems } = await readPackageFile(request.file)
  if (problems.length > 0) throw new PackageFileError(problems)
  const { isBelowCostAllowed, actor } = request
  const wanted = packages.map((row) => row.wanted)
  const result = await inTransaction(db, async (tx) => {
    const written = await writePackages(tx, wanted, {
      isBelowCostAllowed,
      act: { actor, action: 'packages import', details: { is_below_cost_allowed: isBelowCostAllowed } },
    })
    if (written.problems.length > 0) throw new PackageFileError(problemsByLine(packages, written.problems))
    return { imported: written.changed, skipped: written.unchanged }
  })
  await releaseWaitingOrders(
    db,
    wanted.map(({ network }) => network),
  )
  return result
}
