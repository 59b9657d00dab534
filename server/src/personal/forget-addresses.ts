import { sql } from 'kysely'
import { type Forgetting, ofDays, rowsPerStep } from '../platform/forgetting/forget-old-data.ts'
import { signInAddressDays } from '../platform/platform.settings.ts'
import { readSetting } from '../platform/settings/settings.ts'

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

/** Forgets from where and with which browser people signed in, `sign_in_address_days` after that. Their session goes on. */
export const forgettingOfSignInAddresses: Forgetting = {
  name: 'addresses of sign-ins',
  async step(tx) {
    const kept = ofDays(await readSetting(tx, signInAddressDays))
    const { rows } = await sql`
      update person_sessions set ip_address = null, user_agent = null
      where id in (
        select id from person_sessions
        where (ip_address is not null or user_agent is not null) and created_at < clock_timestamp() - ${kept} limit ${rowsPerStep})
      returning id`.execute(tx)
    return { count: rows.length, isMore: rows.length === rowsPerStep }
  },
}
