import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/**
 * The pace of an account is computed from its purchases of this many days, among the newest `purchasesMax` payments from its
 * main wallet, because the last hours of a busy account are enough.
 */
const paceDays = 7
const purchasesMax = 10_000

/**
 * Reads how much these accounts spend a day from their main wallets, in pesewas, by their purchases of the last days. Accounts
 * without such purchases are left out. Refunds are not subtracted.
 */
export async function readPace(db: Db, accountIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ account_id: string; per_day: number }>`
    select account_id,
      (sum(amount) / greatest(1, extract(epoch from clock_timestamp() - min(created_at)) / 86400))::float8 as per_day
    from unnest(${accountIds}::uuid[]) as account (account_id)
    cross join lateral (
      select amount, created_at, kind from transfers
      where transfers.account_id = account.account_id and from_purse = 'main' and from_entry_no is not null
      order by from_entry_no desc limit ${purchasesMax}
    ) as newest
    where kind = 'purchase' and created_at > clock_timestamp() - make_interval(days => ${paceDays})
    group by account_id`.execute(db)
  return new Map(rows.map(({ account_id, per_day }) => [account_id, per_day]))
}
