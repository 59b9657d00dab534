import { sql } from 'kysely'
import { ghs, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'

const daysShown = 7

/**
 * Reads what an account sold on each of the last seven days, today included, less what went back on that day, and what
 * the seven days before came to. It reads the daily sums, which the worker keeps up to the last half minute.
 */
export async function readWeek(db: Db, accountId: string) {
  const { rows } = await sql<{ day: string; sales: number }>`
    select calendar.day::text as day, coalesce(figures.sales - figures.refunds, 0)::float8 as sales
    from (
      select (now() at time zone 'Africa/Accra')::date - ago as day from generate_series(0, ${2 * daysShown - 1}) as ago
    ) as calendar
    left join daily_figures as figures on figures.slice = 'account' and figures.day = calendar.day
      and figures.product = '' and figures.network = '' and figures.package = '' and figures.role = ''
      and figures.supplier = '' and figures.account_id = ${accountId}
    order by calendar.day`.execute(db)
  const sum = (some: typeof rows) => ghs(pesewas(some.reduce((all, { sales }) => all + sales, 0)))
  return {
    days: rows.slice(daysShown).map(({ day, sales }) => ({ day, sales: ghs(pesewas(sales)) })),
    sales: sum(rows.slice(daysShown)),
    sales_before: sum(rows.slice(0, daysShown)),
  }
}
