import { sql } from 'kysely'
import { raiseAlarms } from '../../notices/raise-alarm.ts'
import type { Db } from '../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../platform/database/epoch.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { offerName } from './offer-name.ts'

/** The alarm that stands while an offer is closed; its subject is `offerName`. */
export const offerClosedAlarm = 'offer_closed'

/** A supplier's refusal of our own request for a package. */
export type RefusedOffer = {
  readonly packageId: string
  readonly supplier: string
  /** The code that was sent. An offer that has another code by now is not what was refused. */
  readonly code: string
  /** What the supplier said. */
  readonly because: string
}

const becauseLengthMax = 300

/**
 * Closes a supplier's offer of a package and raises the alarm (decision S12b): nothing more is sent there for it, and
 * where nobody else offers it, it is not sold, until a person reopens it.
 *
 * @returns false when it was closed, changed or taken away already
 */
export function closeOffer(db: Db, { packageId, supplier, code, because }: RefusedOffer): Promise<boolean> {
  const reason = because.slice(0, becauseLengthMax).toWellFormed().replaceAll('\0', '')
  return inTransaction(db, async (tx) => {
    // The package first, as everybody who changes the catalogue does.
    const { rows } = await sql<{ network: string; volumeGb: number }>`
      select network, volume_gb::float8 as "volumeGb" from packages where id = ${packageId} for update`.execute(tx)
    const offered = rows[0]
    const closed = await sql`
      update package_offers set closed_at = clock_timestamp(), closed_because = ${reason}
      where package_id = ${packageId} and supplier = ${supplier} and code = ${code} and closed_at is null`.execute(tx)
    if (!offered || closed.numAffectedRows === 0n) return false
    await raiseCatalogueVersion(tx)
    const { network, volumeGb } = offered
    const message = `${supplier} refused our request for ${network} ${volumeGb}GB (code ${code}): ${reason}. Its offer is closed. Correct the code with \`makola packages import\`, or reopen it with \`makola packages reopen ${network} ${volumeGb} ${supplier}\`.`
    await raiseAlarms(tx, [{ name: offerClosedAlarm, subject: offerName({ network, volumeGb, supplier }), message }])
    return true
  })
}
