import { sql } from 'kysely'
import { type Forgetting, ofDays, rowsPerStep } from '../../platform/forgetting/forget-old-data.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { afaIdentityDays } from './afa.settings.ts'

/**
 * Deletes the identity data of registrations that ended longer ago than `afa_identity_days`. The order, its fee and its
 * history stay.
 */
export const forgettingOfIdentities: Forgetting = {
  name: 'identity data',
  async step(tx) {
    const kept = ofDays(await readSetting(tx, afaIdentityDays))
    const { rows } = await sql`
      update afa_registrations set identity = null, purged_at = clock_timestamp()
      where order_id in (
        select afa_registrations.order_id
        from afa_registrations join orders on orders.id = afa_registrations.order_id
        where purged_at is null and orders.status in ('completed', 'cancelled')
          and orders.updated_at < clock_timestamp() - ${kept}
        limit ${rowsPerStep} for update of afa_registrations skip locked)
      returning order_id`.execute(tx)
    return { count: rows.length, isMore: rows.length === rowsPerStep }
  },
}
