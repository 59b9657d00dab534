import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { adviceForRefusal } from './advice-for-refusal.ts'
import { oldestKeptCallAt } from './record-calls.ts'

export type RefusedCalls = {
  readonly reason: string
  readonly status: number
  readonly count: number
  readonly lastAt: Date
  /** The id of the newest refused call of the group. */
  readonly lastCallId: string
  /** The error message in the answer to that call. */
  readonly message: string
  /** The advice to the developer. */
  readonly fix: string
}

/**
 * At most this many of the newest refused calls of each key are counted. That is enough to see what goes wrong, and keeps
 * the search short.
 */
export const countedPerKey = 2_000

type Row = Omit<RefusedCalls, 'fix' | 'count' | 'message'> & { readonly count: string; readonly message: string | null }

/** Groups the newest refused calls of an account by reason and status, the most frequent first. */
export async function groupRefusedCalls(db: Db, accountId: string): Promise<RefusedCalls[]> {
  const { rows } = await sql<Row>`
    with refused as (
      select calls.* from api_keys as key cross join lateral (
        select log.key_id, log.id, log.called_at, log.status, coalesce(log.reason, '') as reason
        from request_log as log
        where log.key_id = key.id and log.status >= 400
          and log.called_at > ${oldestKeptCallAt}
        order by log.id desc limit ${countedPerKey}) as calls
      where key.account_id = ${accountId}
    ), newest as (
      select distinct on (reason, status) reason, status, key_id, id, called_at,
        count(*) over (partition by reason, status) as count
      from refused order by reason, status, id desc
    )
    select newest.reason, newest.status, newest.count, newest.called_at as "lastAt", newest.id as "lastCallId",
      log.response -> 'error' ->> 'message' as message
    from newest join request_log as log on log.key_id = newest.key_id and log.id = newest.id
    order by newest.count desc, newest.called_at desc`.execute(db)
  return rows.map(({ count, message, ...row }) => ({
    ...row,
    count: Number(count),
    message: message ?? '',
    fix: adviceForRefusal(row.reason, row.status),
  }))
}
