import type { Db } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { OperatorRequestError } from '../../../platform/operator-request-error.ts'
import { releaseWaitingOrders } from '../release-waiting-orders.ts'
import { lockPackages } from '../stored-packages.ts'
import { writePackages } from '../write-packages.ts'
import { type PackageEdit, wantedBy } from './package-edit.ts'
import { editError } from './preview-edit.ts'

/** How the edit is made that a person was shown. */
export type EditOrder = {
  /** Which changes were shown: `seen` of the preview. */
  readonly seen: string
  /** Whether the person insists on prices below a supplier's cost. A reason is needed then. */
  readonly isBelowCostAllowed: boolean
  readonly reason?: string | undefined
  readonly actor: string
}

/** Somebody asked for prices below cost and gave no reason. */
class ReasonMissingError extends OperatorRequestError {
  override readonly name = 'ReasonMissingError'
  override readonly isWrongValue = true
}

/** @throws ReasonMissingError when somebody allows prices below cost and gives no reason */
export function mustSayWhy({ isBelowCostAllowed, reason }: Pick<EditOrder, 'isBelowCostAllowed' | 'reason'>): void {
  if (isBelowCostAllowed && !reason) throw new ReasonMissingError('Prices below cost need a reason.')
}

/** What the operator's log calls each kind of edit. */
const actions = { cells: 'packages edit', shift: 'packages bulk-edit', file: 'packages import' } as const

/**
 * Does an edit in one transaction: all of it, or nothing.
 *
 * @throws ReasonMissingError when prices below cost are allowed without a reason
 * @throws PackagesChangedError when it would do something else than was shown
 * @throws PackageEditError or PackageFileError when it cannot be done, or would sell at a loss without being allowed to
 */
export async function applyEdit(
  db: Db,
  edit: PackageEdit,
  order: EditOrder,
): Promise<{ readonly changed: number; readonly unchanged: number }> {
  mustSayWhy(order)
  const { seen, isBelowCostAllowed, reason, actor } = order
  const { networks, ...result } = await inTransaction(db, async (tx) => {
    const wanted = wantedBy(edit, await lockPackages(tx))
    const details = { is_below_cost_allowed: isBelowCostAllowed }
    const act = { actor, action: actions[edit.kind], reason, details }
    const { changed, unchanged, problems } = await writePackages(tx, wanted, { isBelowCostAllowed, seen, act })
    if (problems.length > 0) throw editError(edit, problems)
    return { changed, unchanged, networks: wanted.map(({ network }) => network) }
  })
  await releaseWaitingOrders(db, networks)
  return result
}
