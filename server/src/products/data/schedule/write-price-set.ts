import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import { appendOperatorLog } from '../../../platform/operator-log/append-operator-log.ts'
import { requireReason } from '../edits/apply-edit.ts'
import { describeChanges } from '../history/package-history.ts'
import type { PackageChange } from '../stored-packages.ts'
import { clearHeldAlarm } from './held-alarm.ts'
import { decidePriceSet, PriceSetError, type PriceSetRequest, priceLinesOf } from './plan-price-set.ts'
import { linkNext, lockSchedule, unlinkNext } from './waiting-prices.ts'

/** A set that can still be carried out, changed or cancelled. */
export type OpenPriceSet = {
  readonly id: string
  readonly effective_at: Date
  readonly state: 'waiting' | 'held'
  readonly note: string | null
  readonly is_below_cost_allowed: boolean
  readonly made_by: string
}

/**
 * Reads an open set. The transaction must hold the lock of the schedule (`lockSchedule`).
 * @throws PriceSetError when it has ended, or does not exist
 */
export async function readOpenSet(tx: Tx, setId: string): Promise<OpenPriceSet> {
  const row = await tx.selectFrom('scheduled_price_sets').selectAll().where('id', '=', setId).executeTakeFirst()
  if (!row) throw new PriceSetMissingError()
  const { state } = row
  if (state === 'waiting' || state === 'held') return { ...row, state }
  throw new PriceSetError(`These prices were ${state === 'done' ? 'carried out' : 'cancelled'} already. Nothing was changed.`)
}

export class PriceSetMissingError extends PriceSetError {
  override readonly name = 'PriceSetMissingError'
  constructor() {
    super('There is no such set of scheduled prices.')
  }
}

async function writeLines(tx: Tx, setId: string, changes: readonly PackageChange[]): Promise<void> {
  await sql`
    insert into scheduled_prices ${rowsOf(priceLinesOf(changes), {
      set_id: ['uuid', () => setId],
      package_id: ['uuid', ({ packageId }) => packageId],
      role: ['text', ({ role }) => role],
      before: ['bigint', ({ before }) => before],
      after: ['bigint', ({ after }) => after],
    }).forInsert()}`.execute(tx)
  await linkNext(tx, setId)
}

const fieldsOf = ({ effectiveAt, note, isBelowCostAllowed }: PriceSetRequest) => ({
  effective_at: effectiveAt,
  note: note ?? null,
  is_below_cost_allowed: isBelowCostAllowed,
})

const mustExplainLoss = ({ isBelowCostAllowed, note }: PriceSetRequest) => requireReason({ isBelowCostAllowed, reason: note })

/**
 * Schedules prices for a minute, each with the price that it is expected to replace.
 * @returns the id of the set, and how many packages it changes
 * @throws an OperatorRequestError when they cannot be scheduled; then nothing is stored
 */
export async function makePriceSet(db: Db, request: PriceSetRequest): Promise<{ setId: string; packages: number }> {
  mustExplainLoss(request)
  const setId = newId()
  return inTransaction(db, async (tx) => {
    await lockSchedule(tx)
    const changes = await decidePriceSet(tx, request, setId)
    const fields = fieldsOf(request)
    await tx
      .insertInto('scheduled_price_sets')
      .values({ id: setId, ...fields, made_by: request.actor })
      .execute()
    await writeLines(tx, setId, changes)
    const details = { ...fields, ...describeChanges(changes) }
    await appendOperatorLog(tx, { actor: request.actor, action: 'packages schedule add', subject: setId, details })
    return { setId, packages: changes.length }
  })
}

/** Removes a set from the order of waiting sets, and clears the alarm of a held set. */
async function removeFromSchedule(tx: Tx, set: OpenPriceSet): Promise<void> {
  // A later set that replaces the prices of a held one still expects them. It is not corrected, so that a person sees the
  // clash.
  if (set.state === 'waiting') await unlinkNext(tx, set.id)
  await clearHeldAlarm(tx, set.id)
}

/**
 * Changes the minute, the note or the prices of an open set. A held set waits again.
 * @throws an OperatorRequestError when the change is not possible; the set stays as it was
 */
export async function changePriceSet(
  db: Db,
  setId: string,
  request: PriceSetRequest,
): Promise<{ setId: string; packages: number }> {
  mustExplainLoss(request)
  return inTransaction(db, async (tx) => {
    await lockSchedule(tx)
    const set = await readOpenSet(tx, setId)
    const linesBefore = await tx.selectFrom('scheduled_prices').selectAll().where('set_id', '=', setId).execute()
    await removeFromSchedule(tx, set)
    await tx.deleteFrom('scheduled_prices').where('set_id', '=', setId).execute()
    const changes = await decidePriceSet(tx, request, setId)
    const fields = fieldsOf(request)
    await tx
      .updateTable('scheduled_price_sets')
      .set({ ...fields, state: 'waiting', held_because: null, made_by: request.actor })
      .where('id', '=', setId)
      .execute()
    await writeLines(tx, setId, changes)
    const { effective_at, note, is_below_cost_allowed, state, made_by } = set
    const before = { effective_at, note, is_below_cost_allowed, state, made_by, prices: linesBefore.length }
    const { before: from, after: to, ...rest } = describeChanges(changes)
    const details = { before, after: { ...fields, state: 'waiting', made_by: request.actor }, prices: { from, to }, ...rest }
    await appendOperatorLog(tx, { actor: request.actor, action: 'packages schedule change', subject: setId, details })
    return { setId, packages: changes.length }
  })
}

/**
 * Cancels an open set: its prices never come into force.
 * @throws PriceSetError when it has ended, or does not exist
 */
export async function cancelPriceSet(
  db: Db,
  setId: string,
  { actor, reason }: { readonly actor: string; readonly reason?: string | undefined },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockSchedule(tx)
    const set = await readOpenSet(tx, setId)
    await removeFromSchedule(tx, set)
    await tx
      .updateTable('scheduled_price_sets')
      .set({ state: 'cancelled', ended_at: sql<Date>`clock_timestamp()`, ended_by: actor })
      .where('id', '=', setId)
      .execute()
    const details = {
      effective_at: set.effective_at,
      before: { state: set.state },
      after: { state: 'cancelled' },
      ...(reason !== undefined && { reason }),
    }
    await appendOperatorLog(tx, { actor, action: 'packages schedule cancel', subject: setId, details })
  })
}
