import { sql } from 'kysely'
import { type Pesewas, pesewas } from '../money/pesewas.ts'
import type { Db } from '../platform/database/database.ts'

/** What an account sold on one day of Accra, less what went back on that day. */
export type AccountDay = { readonly day: string; readonly orders: number; readonly sales: Pesewas }

/**
 * Reads what accounts sold on each of the last days, today included. It reads the daily sums, a row for each account and
 * day, which the worker keeps up to the last half minute. Every account that is asked for is in the answer.
 */
export async function readAccountSales(
  db: Db,
  accountIds: readonly string[],
  days: number,
): Promise<ReadonlyMap<string, readonly AccountDay[]>> {
  const { rows } = await sql<{ account_id: string; day: string; orders: number; sales: number }>`
    select account.id as account_id, calendar.day::text as day, coalesce(figures.orders, 0)::int as orders,
      coalesce(figures.sales - figures.refunds, 0)::float8 as sales
    from unnest(${accountIds}::uuid[]) as account (id)
    cross join (
      select (now() at time zone 'Africa/Accra')::date - ago as day from generate_series(0, ${days - 1}::int) as ago
    ) as calendar
    left join daily_figures as figures on figures.slice = 'account' and figures.day = calendar.day
      and figures.product = '' and figures.network = '' and figures.package = '' and figures.role = ''
      and figures.supplier = '' and figures.account_id = account.id
    order by calendar.day`.execute(db)
  const byAccount = new Map<string, AccountDay[]>(accountIds.map((id) => [id, []]))
  for (const { account_id, day, orders, sales } of rows) {
    byAccount.get(account_id)?.push({ day, orders, sales: pesewas(sales) })
  }
  return byAccount
}
