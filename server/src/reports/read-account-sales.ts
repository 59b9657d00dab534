import { sql } from 'kysely'
import { type Pesewas, pesewas } from '../money/pesewas.ts'
import type { Db } from '../platform/database/database.ts'
import { type CountedDays, countedDays, coverageOf } from './counted-days.ts'

/** An account's sales on one day of Accra, less the refunds made on that day. Null while the day is not counted yet. */
export type AccountDay = { readonly day: string; readonly orders: number | null; readonly sales: Pesewas | null }

export type AccountSales = {
  readonly days: readonly AccountDay[]
  /** The sum of the days that are counted. Null when none is. */
  readonly orders: number | null
  readonly sales: Pesewas | null
  /** The first counted day, where days before it are not counted yet. Null when all are counted, or none is. */
  readonly countedFrom: string | null
}

export function addUpDays(days: readonly AccountDay[]): AccountSales {
  const counted = days.filter(({ sales }) => sales !== null)
  const sum = (name: 'orders' | 'sales') =>
    counted.length === 0 ? null : counted.reduce((all, { [name]: amount }) => all + (amount ?? 0), 0)
  const sales = sum('sales')
  return {
    days,
    orders: sum('orders'),
    sales: sales === null ? null : pesewas(sales),
    countedFrom: days[0]?.sales === null ? (counted[0]?.day ?? null) : null,
  }
}

type Row = CountedDays & { account_id: string; day: string; orders: number; sales: number }

/**
 * Reads accounts' sales on each of the last days, today included, from the daily sums, which may be a minute old. Every
 * requested account is in the answer.
 */
export async function readAccountSales(
  db: Db,
  accountIds: readonly string[],
  days: number,
): Promise<ReadonlyMap<string, AccountSales>> {
  const { rows } = await sql<Row>`
    select account.id as account_id, calendar.day::text as day, coalesce(figures.orders, 0)::int as orders,
      coalesce(figures.sales - figures.refunds, 0)::float8 as sales, counted.*
    from unnest(${accountIds}::uuid[]) as account (id)
    cross join ${countedDays} as counted
    cross join (
      select (now() at time zone 'Africa/Accra')::date - ago as day from generate_series(0, ${days - 1}::int) as ago
    ) as calendar
    left join daily_figures as figures on figures.slice = 'account' and figures.day = calendar.day
      and figures.product = '' and figures.network = '' and figures.package = '' and figures.role = ''
      and figures.supplier = '' and figures.account_id = account.id
    order by calendar.day`.execute(db)
  const byAccount = Map.groupBy(rows, (row) => row.account_id)
  const dayOf = ({ day, orders, sales, ...counted }: Row): AccountDay =>
    coverageOf({ from: day, to: day }, counted) === 'none'
      ? { day, orders: null, sales: null }
      : { day, orders, sales: pesewas(sales) }
  return new Map(accountIds.map((id) => [id, addUpDays((byAccount.get(id) ?? []).map(dayOf))]))
}
