import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** `path` is the address of the thing's screen at the desk; null where it has none. */
export type NamedThing = { readonly name: string; readonly path: string | null }

/**
 * Finds the names of accounts, orders, persons, keys, top-ups, campaigns, differences and proposals by id. Other ids are left
 * out.
 */
export async function nameThings(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, NamedThing>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<NamedThing & { id: string }>`
    with asked as (select unnest(${ids}::uuid[]) as id)
    select asked.id::text as id, thing.name, thing.path from asked cross join lateral (
      select name, '/accounts/' || id as path from accounts where id = asked.id
      union all select 'order ' || reference, '/orders/' || id from orders where id = asked.id
      union all select email, null from persons where id = asked.id
      union all select type || ' key …' || hint || ' of ' || accounts.name, '/keys/' || api_keys.id
        from api_keys join accounts on accounts.id = account_id where api_keys.id = asked.id
      union all select 'top-up of ' || accounts.name, '/top-ups/' || top_ups.id
        from top_ups join accounts on accounts.id = account_id where top_ups.id = asked.id
      union all select 'campaign of ' || accounts.name, '/sms/' || sms_campaigns.id
        from sms_campaigns join accounts on accounts.id = account_id where sms_campaigns.id = asked.id
      union all select 'difference of ' || supplier || ' at ' || reference, '/reconcile/' || id
        from reconciliation_differences where id = asked.id
      union all select 'this proposal', '/approvals/' || id from approvals where id = asked.id
    ) as thing`.execute(db)
  return new Map(rows.map(({ id, name, path }) => [id, { name, path }]))
}
