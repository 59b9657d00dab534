import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../platform/database/database.ts'

export type ListedNotice = Omit<Selectable<Tables['reseller_notices']>, 'next_try_at' | 'lease_until'>

export type NoticeQuery = {
  readonly accountId?: string
  readonly from?: Date
  readonly to?: Date
  /** The id of the last notice of the page before. */
  readonly after?: string
  readonly limit: number
}

/** Lists notices to resellers in any state, newest first. */
export async function listResellerNotices(db: Db, query: NoticeQuery): Promise<ListedNotice[]> {
  const { accountId = null, from = null, to = null, after = null, limit } = query
  // The condition is written only for a named account. If one condition served both cases, PostgreSQL would not use the index
  // of accounts.
  const ofAccount = accountId === null ? sql`` : sql`account_id = ${accountId} and`
  const { rows } = await sql<ListedNotice>`
    select id, account_id, kind, about, channel, subject, body, state, tries, sent_to, reason, created_at, ended_at
    from reseller_notices
    where ${ofAccount} (${from}::timestamptz is null or created_at >= ${from}) and (${to}::timestamptz is null or created_at < ${to}::timestamptz + interval '1 millisecond')
      and (${after}::uuid is null
        or (created_at, id) < (select last.created_at, last.id from reseller_notices as last where last.id = ${after}))
    order by created_at desc, id desc
    limit ${limit}`.execute(db)
  return rows
}
