import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { afaIdentityDays } from './afa.settings.ts'

const batchRows = 1_000

/**
 * Deletes the identity data of registrations that ended longer ago than `afa_identity_days`. The order, its fee and its
 * history stay.
 */
export async function purgeIdentities(db: Db, log: Pick<Logger, 'info'>): Promise<void> {
  const days = await readSetting(db, afaIdentityDays)
  let purged = 0
  for (;;) {
    const { rows } = await sql`
      update afa_registrations set identity = null, purged_at = clock_timestamp()
      where order_id in (
        select afa_registrations.order_id
        from afa_registrations join orders on orders.id = afa_registrations.order_id
        where purged_at is null and orders.status in ('completed', 'cancelled')
          and orders.updated_at < clock_timestamp() - make_interval(days => ${days})
        limit ${batchRows} for update of afa_registrations skip locked)
      returning order_id`.execute(db)
    purged += rows.length
    if (rows.length < batchRows) break
  }
  if (purged > 0) log.info({ count: purged }, 'identity data of ended registrations was purged')
}
