import type { Db } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { OperatorRequestError } from '../../../platform/operator-request-error.ts'
import { writePackages } from '../catalogue/write-packages.ts'
import { releaseWaitingOrders } from '../release-waiting-orders.ts'
import { lockPackages } from '../stored-packages.ts'
import { type PackageEdit, wantedPackagesOf } from './package-edit.ts'
import { editError } from './preview-edit.ts'

/** The changes that a person confirmed, and what the person allows. */
export type ConfirmedEdit = {
  /** Fingerprint of the shown changes: `seen` of the preview. */
  readonly seen: string
  /** True when the person insists on prices below a supplier's cost. Then a reason is needed. */
  readonly isBelowCostAllowed: boolean
  readonly reason?: string | undefined
  readonly actor: string
}

class ReasonMissingError extends OperatorRequestError {
  override readonly name = 'ReasonMissingError'
  override readonly isWrongValue = true
}

export function requireReason({ isBelowCostAllowed, reason }: Pick<ConfirmedEdit, 'isBelowCostAllowed' | 'reason'>): void {
  if (isBelowCostAllowed && !reason) throw new ReasonMissingError('Prices below cost need a reason.')
}

const actions = { cells: 'packages edit', shift: 'packages bulk-edit', file: 'packages import' } as const

/**
 * Applies an edit in one transaction: all of it, or nothing.
 * @throws ReasonMissingError when prices below cost are allowed without a reason
 * @throws PackagesChangedError when the changes differ from the shown ones
 * @throws PackageEditError or PackageFileError when it is invalid, or would sell at a loss without permission
 */
export async function applyEdit(
  db: Db,
  edit: PackageEdit,
  order: ConfirmedEdit,
): Promise<{ readonly changed: number; readonly unchanged: number }> {
  requireReason(order)
  const { seen, isBelowCostAllowed, reason, actor } = order
  const { networks, ...result } = await inTransaction(db, async (tx) => {
    const wanted = wantedPackagesOf(edit, await lockPackages(tx))
    const details = { is_below_cost_allowed: isBelowCostAllowed }
    const act = { actor, action: actions[edit.kind], reason, details }
    const { changed, unchanged, problems } = await writePackages(tx, wanted, { isBelowCostAllowed, seen, act })
    if (problems.length > 0) throw editError(edit, problems)
    return { changed, unchanged, networks: wanted.map(({ network }) => network) }
  })
  await releaseWaitingOrders(db, networks)
  return result
}
