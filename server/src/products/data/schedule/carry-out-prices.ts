import { sql } from 'kysely'
import type { Logger } from 'pino'
import { formatGhs, type Pesewas } from '../../../money/pesewas.ts'
import { type Alarm, logAlarms, raiseAlarms } from '../../../notices/raise-alarm.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../../platform/operator-log/append-operator-log.ts'
import { showMoment } from '../../../platform/texts-for-people.ts'
import type { WantedPackage } from '../catalogue/plan-packages.ts'
import { writePackages } from '../catalogue/write-packages.ts'
import { PackageEditError } from '../edits/package-edit.ts'
import { fingerprintPrices, PackagesChangedError } from '../history/fingerprint-changes.ts'
import { lockPackages, packageName, type StoredPackage } from '../stored-packages.ts'
import { clearHeldAlarm, nameOfSet, raiseHeldAlarm } from './held-alarm.ts'
import { PriceSetError } from './plan-price-set.ts'
import { lockSchedule, priceField } from './waiting-prices.ts'
import { type OpenPriceSet, readOpenSet } from './write-price-set.ts'

/** Alarm: prices came into force late. It stays open until a person closes it. Its subject is the set. */
const scheduledPricesLateAlarm = 'scheduled_prices_late'

/** The worker checks every second, so more than this is late. */
const lateAfterSeconds = 60

/** The most problems of a set that an alarm lists, because nobody reads more. */
const clashesShownMax = 5

type ScheduledPrice = {
  readonly packageId: string
  readonly role: keyof typeof priceField
  readonly before: number
  readonly after: number
}

function readScheduledPrices(tx: Tx, setId: string): Promise<ScheduledPrice[]> {
  return tx
    .selectFrom('scheduled_prices')
    .select(['package_id as packageId', 'role', 'before', 'after'])
    .where('set_id', '=', setId)
    .execute()
}

/** Describes changes of prices since a set was scheduled. A price that is already as scheduled does not clash. Pure. */
function findClashes(scheduled: readonly ScheduledPrice[], byId: ReadonlyMap<string, StoredPackage>): string[] {
  return scheduled.flatMap(({ packageId, role, before, after }) => {
    const stored = byId.get(packageId)
    if (!stored) return ['a package is not there any more']
    const now = stored[priceField[role]]
    if (now === before || now === after) return []
    const [was, is] = [formatGhs(before as Pesewas), formatGhs(now as Pesewas)]
    return [`the ${role} price of ${packageName(stored)} was ${was} when this was scheduled and is ${is} now`]
  })
}

function fingerprintOf(scheduled: readonly ScheduledPrice[], byId: ReadonlyMap<string, StoredPackage>): string {
  return fingerprintPrices(
    scheduled.map(({ packageId, role, after }) => {
      return { packageId, role, replaces: byId.get(packageId)?.[priceField[role]] ?? null, after }
    }),
  )
}

/** The packages with the scheduled prices; everything else stays as it is. */
function wantedOf(scheduled: readonly ScheduledPrice[], byId: ReadonlyMap<string, StoredPackage>): WantedPackage[] {
  return [...Map.groupBy(scheduled, ({ packageId }) => packageId)].flatMap(([packageId, prices]) => {
    const stored = byId.get(packageId)
    if (!stored) return []
    const fields = Object.fromEntries(prices.map(({ role, after }) => [priceField[role], after]))
    const { network, volumeGb, priceCustomer, priceAgent, priceDealer } = { ...stored, ...fields } as StoredPackage
    return {
      network,
      volumeGb,
      priceCustomer: priceCustomer as Pesewas,
      priceAgent: priceAgent as Pesewas,
      priceDealer: priceDealer as Pesewas,
      offers: new Map(),
    }
  })
}

/** The person or worker that puts a set of scheduled prices into force, and the checks that they may skip. */
type SetWriter = {
  readonly actor: string
  readonly reason?: string | undefined
  readonly isClashAccepted: boolean
  readonly isBelowCostAllowed: boolean
  /** Fingerprint of the old and new prices in the preview that the person confirmed; undefined without a preview. */
  readonly seen?: string | undefined
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * Writes the prices of a set, all or none.
 * @returns the reasons why they cannot be written; empty when they were written
 * @throws PackagesChangedError when they differ from the prices that a person was shown
 */
async function writeSet(tx: Tx, set: OpenPriceSet, writer: SetWriter): Promise<readonly string[]> {
  const scheduled = await readScheduledPrices(tx, set.id)
  const byId = new Map([...(await lockPackages(tx)).values()].map((stored) => [stored.id, stored]))
  if (writer.seen !== undefined && writer.seen !== fingerprintOf(scheduled, byId)) throw new PackagesChangedError()
  const clashes = writer.isClashAccepted ? [] : findClashes(scheduled, byId)
  if (clashes.length > 0) return clashes
  const { actor, isBelowCostAllowed, details } = writer
  const { problems } = await writePackages(tx, wantedOf(scheduled, byId), {
    isBelowCostAllowed,
    act: {
      actor,
      action: 'packages schedule carry-out',
      subject: set.id,
      reason: writer.reason ?? set.note ?? undefined,
      onBehalfOf: set.made_by,
      details: { effective_at: set.effective_at, scheduled_by: set.made_by, ...details },
    },
  })
  if (problems.length > 0) return problems.map(({ message }) => message)
  await tx
    .updateTable('scheduled_price_sets')
    .set({ state: 'done', ended_at: sql<Date>`clock_timestamp()`, ended_by: actor, held_because: null })
    .where('id', '=', set.id)
    .execute()
  await clearHeldAlarm(tx, set.id)
  return []
}

/** Holds a set for a person's decision: none of its prices comes into force. */
async function holdSet(tx: Tx, set: OpenPriceSet, problems: readonly string[]): Promise<Alarm[]> {
  const shown = problems.slice(0, clashesShownMax)
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : []
  const because = [...shown, ...more].join('; ')
  await tx.updateTable('scheduled_price_sets').set({ state: 'held', held_because: because }).where('id', '=', set.id).execute()
  const details = { effective_at: set.effective_at, before: { state: set.state }, after: { state: 'held' }, reason: because }
  await appendOperatorLog(tx, { actor: 'worker', action: 'packages schedule hold', subject: set.id, details })
  return raiseHeldAlarm(tx, set, because)
}

/** @returns the new alarms; undefined when another worker was quicker, or the set has changed */
async function carryOutIfDue(tx: Tx, setId: string): Promise<Alarm[] | undefined> {
  await lockSchedule(tx)
  const { rows } = await sql<{ late_seconds: number }>`
    select extract(epoch from clock_timestamp() - effective_at)::float8 as late_seconds
    from scheduled_price_sets
    where id = ${setId} and state = 'waiting' and effective_at <= clock_timestamp()`.execute(tx)
  const [due] = rows
  if (!due) return undefined
  const set = await readOpenSet(tx, setId)
  const lateSeconds = Math.floor(due.late_seconds)
  const problems = await writeSet(tx, set, {
    actor: 'worker',
    isClashAccepted: false,
    isBelowCostAllowed: set.is_below_cost_allowed,
    details: { late_seconds: lateSeconds },
  })
  if (problems.length > 0) return holdSet(tx, set, problems)
  if (lateSeconds <= lateAfterSeconds) return []
  const message = `Prices that ${set.made_by} scheduled for ${showMoment(set.effective_at)} came into force ${lateSeconds} seconds late, because no worker ran at their minute. Until then the old prices were charged.`
  return raiseAlarms(tx, [{ name: scheduledPricesLateAlarm, subject: setId, about: nameOfSet(set), message }])
}

export const arePricesDue = sql`
  exists (select from scheduled_price_sets where state = 'waiting' and effective_at <= now())`

/**
 * Carries out the due sets of prices in their order, each in one transaction and once, however many workers try. Holds a whole
 * set, with an alarm, when a present price is not the expected one, a package is missing, or it would sell at a loss without
 * permission.
 */
export async function carryOutDuePrices(db: Db, log: Pick<Logger, 'error' | 'info'>): Promise<void> {
  const due = await sql<{ id: string }>`
    select id from scheduled_price_sets
    where state = 'waiting' and effective_at <= clock_timestamp() order by effective_at, id`.execute(db)
  for (const { id } of due.rows) {
    const raised = await inTransaction(db, (tx) => carryOutIfDue(tx, id))
    if (raised) log.info({ set: id }, 'the minute of scheduled prices has come')
    logAlarms(log, raised ?? [])
  }
}

/**
 * Carries a held set out although prices have changed, because a person has checked it.
 * @throws PackagesChangedError when a price has changed once more, PriceSetError when the set is not held,
 *   PackageEditError when it would sell at a loss without permission
 */
export async function carryOutHeldPrices(
  db: Db,
  setId: string,
  writer: {
    readonly actor: string
    readonly reason?: string | undefined
    readonly isBelowCostAllowed: boolean
    readonly seen?: string | undefined
  },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockSchedule(tx)
    const set = await readOpenSet(tx, setId)
    if (set.state !== 'held') throw new PriceSetError('These prices wait for their minute. Change its time to have them sooner.')
    const problems = await writeSet(tx, set, { ...writer, isClashAccepted: true, details: { before: { state: 'held' } } })
    if (problems.length > 0) throw new PackageEditError(problems)
  })
}
