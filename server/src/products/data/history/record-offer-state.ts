import type { Tx } from '../../../platform/database/database.ts'

type OfferState = {
  readonly packageId: string
  readonly supplier: string
  readonly isClosed: boolean
  readonly actor: string
  readonly action: string
  readonly reason?: string
}

/** Records in the history of a package that one of its offers was closed or opened. */
export async function recordOfferState(tx: Tx, state: OfferState): Promise<void> {
  const { packageId, supplier, isClosed, actor, action, reason = null } = state
  const columns = JSON.stringify({ [`is_closed_${supplier}`]: { before: !isClosed, after: isClosed } })
  await tx.insertInto('package_changes').values({ package_id: packageId, actor, action, reason, columns }).execute()
}
