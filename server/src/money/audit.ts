import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { firstIdAt } from '../platform/database/first-id-at.ts'
import { advanceCheckpoints, listMovedWallets } from './advance-checkpoints.ts'

/** How far back a run of the audit looks. */
export type AuditScope = {
  /** False: wallets from their last checkpoint on, and orders placed since `firstOrderId`. */
  readonly isFull: boolean
  /** Orders with smaller ids are left to the next full run. */
  readonly firstOrderId: string
}

/** A rule that no row may break. `badRows` counts those that do, in one select. */
export type AuditCheck = {
  /** Says what is wrong: `order_without_its_debit`. */
  readonly name: string
  badRows(scope: AuditScope): RawBuilder<{ bad: number }>
}

/** `ok` when every check counted zero. */
export type AuditReport = { readonly ok: boolean; readonly checks: Readonly<Record<string, number>> }

const smallestId = '00000000-0000-0000-0000-000000000000'

/** A run that is not full checks the orders of the last two days; older orders rarely change. */
const recentMilliseconds = 2 * 24 * 3_600 * 1_000

/**
 * Counts the rows that break each rule, all in one snapshot, so that purchases in progress are not taken for errors.
 * When no rule is broken, the wallets that have moved get new checkpoints from that snapshot. The next run that is not full
 * starts from them.
 */
export async function runAudit(db: Db, checks: readonly AuditCheck[], options: { isFull: boolean }): Promise<AuditReport> {
  const firstOrderId = options.isFull ? smallestId : firstIdAt(Date.now() - recentMilliseconds)
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  const { counts, moved } = await snapshot.execute(async (tx) => ({
    counts: await countBadRows(tx, checks, { isFull: options.isFull, firstOrderId }),
    moved: await listMovedWallets(tx),
  }))
  const ok = Object.values(counts).every((count) => count === 0)
  if (ok) await advanceCheckpoints(db, moved)
  return { ok, checks: counts }
}

async function countBadRows(tx: Tx, checks: readonly AuditCheck[], scope: AuditScope): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const check of checks) {
    const { rows } = await check.badRows(scope).execute(tx)
    counts[check.name] = rows[0]?.bad ?? Number.NaN
  }
  return counts
}
