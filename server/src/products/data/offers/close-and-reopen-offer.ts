import { sql } from 'kysely'
import { clearAlarm } from '../../../notices/clear-alarm.ts'
import { raiseAlarms } from '../../../notices/raise-alarm.ts'
import type { Db, TableRow, Tx } from '../../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../../platform/database/epoch.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../../platform/operator-log/append-operator-log.ts'
import { releaseWaitingOrders } from '../release-waiting-orders.ts'

/** Raised while an offer is closed. Its subject is `offerName`. */
export const offerClosedAlarm = 'offer_closed'

/** An offer whose supplier refused our request, not the recipient. */
export type RefusedOffer = {
  readonly packageId: string
  readonly supplier: string
  /** The refused code. If the offer now has another code, it stays open. */
  readonly code: string
  readonly because: string
}

const becauseLengthMax = 300

/**
 * Closes a supplier's offer of a package and raises an alarm (decision S12b). Until a person reopens it, this supplier gets
 * no order for the package. A package without another supplier is not sold meanwhile.
 * @returns false when the offer was closed, changed or removed already
 */
export function closeOffer(db: Db, { packageId, supplier, code, because }: RefusedOffer): Promise<boolean> {
  const reason = because.slice(0, becauseLengthMax).toWellFormed().replaceAll('\0', '')
  return inTransaction(db, async (tx) => {
    // The package is locked before its offer, as in every change of the catalogue.
    const { rows } = await sql<{ network: string; volumeGb: number }>`
      select network, volume_gb::float8 as "volumeGb" from packages where id = ${packageId} for update`.execute(tx)
    const offered = rows[0]
    const closed = await sql`
      update package_offers set closed_at = clock_timestamp(), closed_because = ${reason}
      where package_id = ${packageId} and supplier = ${supplier} and code = ${code} and closed_at is null`.execute(tx)
    if (!offered || closed.numAffectedRows === 0n) return false
    await raiseCatalogueVersion(tx)
    await recordOfferState(tx, { packageId, supplier, isClosed: true, actor: 'worker', action: 'offer closed', reason })
    const { network, volumeGb } = offered
    const message = `${supplier} refused our request for ${network} ${volumeGb}GB (code ${code}): ${reason}. Its offer is closed.`
    const command = `Correct the code with \`makola packages import\`, or reopen it with \`makola packages reopen ${network} ${volumeGb} ${supplier}\`.`
    const subject = offerName({ network, volumeGb, supplier })
    await raiseAlarms(tx, [{ name: offerClosedAlarm, subject, message, command }])
    return true
  })
}

export type OfferKey = { readonly network: string; readonly volumeGb: number; readonly supplier: string }

/**
 * Opens an offer that was closed after a refusal, and clears its alarm. Orders of the network that wait for an
 * offer or a route become due, because any of them may wait for this offer.
 * @returns `open` when it was not closed, `missing` when there is no such offer
 */
export async function reopenOffer(db: Db, offer: OfferKey, actor: string): Promise<'reopened' | 'open' | 'missing'> {
  const { network, volumeGb, supplier } = offer
  const result = await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select id from packages where network = ${network} and volume_gb = ${volumeGb} for update`.execute(tx)
    const packageId = rows[0]?.id
    if (packageId === undefined) return 'missing'
    const found = await sql<TableRow<'package_offers', 'closed_at' | 'closed_because'>>`
      select closed_at, closed_because from package_offers
      where package_id = ${packageId} and supplier = ${supplier}`.execute(tx)
    const [stored] = found.rows
    if (!stored) return 'missing'
    if (!stored.closed_at) return 'open'
    await sql`
      update package_offers set closed_at = null, closed_because = null
      where package_id = ${packageId} and supplier = ${supplier}`.execute(tx)
    await raiseCatalogueVersion(tx)
    await clearAlarm(tx, offerClosedAlarm, offerName(offer))
    const before = { closed_at: stored.closed_at, closed_because: stored.closed_because }
    const details = { before, after: { closed_at: null, closed_because: null } }
    await appendOperatorLog(tx, { actor, action: 'packages reopen', subject: offerName(offer), details })
    await recordOfferState(tx, { packageId, supplier, isClosed: false, actor, action: 'packages reopen' })
    return 'reopened'
  })
  if (result === 'reopened') await releaseWaitingOrders(db, [network])
  return result
}

/** The name of a supplier's offer of a package in alarms and commands. */
export function offerName(offered: { network: string; volumeGb: number; supplier: string }): string {
  return `${offered.network} ${offered.volumeGb}GB ${offered.supplier}`
}

type OfferState = {
  readonly packageId: string
  readonly supplier: string
  readonly isClosed: boolean
  readonly actor: string
  readonly action: string
  readonly reason?: string
}

/** Records in the history of a package that one of its offers was closed or opened. */
async function recordOfferState(tx: Tx, state: OfferState): Promise<void> {
  const { packageId, supplier, isClosed, actor, action, reason = null } = state
  const columns = JSON.stringify({ [`is_closed_${supplier}`]: { before: !isClosed, after: isClosed } })
  await tx.insertInto('package_changes').values({ package_id: packageId, actor, action, reason, columns }).execute()
}
