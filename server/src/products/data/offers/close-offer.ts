import { sql } from 'kysely'
import { raiseAlarms } from '../../../notices/raise-alarm.ts'
import type { Db } from '../../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../../platform/database/epoch.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { recordOfferState } from '../history/record-offer-state.ts'
import { offerName } from './offer-name.ts'

/** Raised while an offer is closed. Its subject is `offerName`. */
export const offerClosedAlarm = 'offer_closed'

/** A supplier's refusal of our own request for a package. */
export type RefusedOffer = {
  readonly packageId: string
  readonly supplier: string
  /** The refused code. An offer with another code now is not closed. */
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
