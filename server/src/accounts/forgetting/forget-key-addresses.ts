import { sql } from 'kysely'
import { type Forgetting, ofDays, rowsPerStep } from '../../platform/forgetting/forget-old-data.ts'
import { signInAddressDays } from '../../platform/forgetting/forgetting.settings.ts'
import { readSetting } from '../../platform/settings/settings.ts'

/** Forgets from which address a key was last used, `sign_in_address_days` after that. */
export const forgettingOfKeyAddresses: Forgetting = {
  name: 'addresses of keys',
  async step(tx) {
    const kept = ofDays(await readSetting(tx, signInAddressDays))
    const { rows } = await sql`
      update api_keys set last_used_ip = null
      where id in (
        select id from api_keys where last_used_ip is not null and last_used_at < clock_timestamp() - ${kept} limit ${rowsPerStep})
      returning id`.execute(tx)
    return { count: rows.length, isMore: rows.length === rowsPerStep }
  },
}
