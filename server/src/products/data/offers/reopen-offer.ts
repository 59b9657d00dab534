import { sql } from 'kysely'
import { clearAlarm } from '../../../notices/clear-alarm.ts'
import type { Db, TableRow } from '../../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../../platform/database/epoch.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../../platform/operator-log/append-operator-log.ts'
import { recordOfferState } from '../history/record-offer-state.ts'
import { releaseWaitingOrders } from '../release-waiting-orders.ts'
import { offerClosedAlarm } from './close-offer.ts'
import { offerName } from './offer-name.ts'

export type NamedOffer = { readonly network: string; readonly volumeGb: number; readonly supplier: string }

/**
 * Opens an offer that was closed after a refusal, and clears its alarm. Makes the orders of the network due
 * that wait for an offer or a route, because any may wait for this one.
 * @returns `open` when it was not closed, `missing` when there is no such offer
 */
export async function reopenOffer(db: Db, offer: NamedOffer, actor: string): Promise<'reopened' | 'open' | 'missing'> {
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
