import { ghs } from '../../../money/pesewas.ts'
import type { Routes } from '../../../suppliers/route-ports.ts'
import type { PackageEdit } from '../edits/package-edit.ts'
import type { EditPreview } from '../edits/preview-edit.ts'
import { differingColumns } from '../history/package-cells.ts'
import { packageName } from '../stored-packages.ts'
import { viewMargins } from './view-grid.ts'

/** The most packages that a preview lists, because nobody reads more. Its counts include all packages. */
const shownMax = 1_000

export function viewEditPreview(routes: Pick<Routes, 'rank'>, edit: PackageEdit, preview: EditPreview) {
  const { changes, unchanged, losses, notInFile, seen } = preview
  const fresh = changes.filter(({ stored }) => stored === undefined).length
  return {
    new: fresh,
    changed: changes.length - fresh,
    unchanged,
    packages: changes.slice(0, shownMax).map(({ index, stored, next }) => ({
      name: packageName(next),
      line: edit.kind === 'file' ? (edit.rows[index]?.line ?? null) : null,
      change: stored ? ('changed' as const) : ('new' as const),
      columns: [...differingColumns(stored, next)].map(([column, cell]) => ({ column, ...cell })),
      margins: viewMargins(routes, next),
    })),
    losses: losses
      .slice(0, shownMax)
      .map(({ name, supplier, message, lossPesewas }) => ({ name, supplier, message, loss: ghs(lossPesewas) })),
    losses_in_all: losses.length,
    not_in_file: notInFile.slice(0, shownMax),
    seen,
  }
}
