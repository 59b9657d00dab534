import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { requestLogScope } from '../accounts.settings.ts'

/** Numbers of a key's calls. Null: the request log does not keep these calls. */
export type CallsToday = { readonly callsToday: number | null; readonly refusedToday: number | null }

/** The calls of a key are counted up to this number, so that the index scan stays short. */
export const countedCallsMax = 10_000

/**
 * Adds to each key how many of its calls since midnight, Greenwich time, the request log has, and how many of these were
 * answered with 400 or more.
 */
export async function withCallsToday<Key extends { readonly keyId: string }>(
  db: Db,
  keys: readonly Key[],
): Promise<(Key & CallsToday)[]> {
  const scope = await readSetting(db, requestLogScope)
  const ofToday = sql`key_id = key.id and id >= first_id_at(date_trunc('day', clock_timestamp(), 'UTC'))`
  const { rows } = await sql<{ id: string; calls: number; refused: number }>`
    select key.id,
      (select count(*)::integer from (select from request_log where ${ofToday} limit ${countedCallsMax}) as call) as calls,
      (select count(*)::integer
        from (select from request_log where ${ofToday} and status >= 400 limit ${countedCallsMax}) as call) as refused
    from unnest(${keys.map(({ keyId }) => keyId)}::uuid[]) as key (id)`.execute(db)
  return keys.map((key) => {
    const { calls = 0, refused = 0 } = rows.find(({ id }) => id === key.keyId) ?? {}
    return { ...key, callsToday: scope === 'all' ? calls : null, refusedToday: scope === 'off' ? null : refused }
  })
}
