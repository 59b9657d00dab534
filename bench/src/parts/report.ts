import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../server/src/platform/database/database.ts'
import { addDays, dayInAccra } from '../../../server/src/reports/period.ts'
import { groupings, readSales } from '../../../server/src/reports/read-sales.ts'
import type { Bench } from '../bench-servers.ts'
import { median } from '../measure/median.ts'
import { below } from '../report/make-ratio.ts'
import type { Part } from './part.ts'

const ordersPerYear = 10_000_000
const days = 365

/** Networks and packages of a shop like the demo's, for three roles: about 170 rows a day. */
const goodsCells = sql`
  select product, network, package, role
  from (
    select 'data' as product, network, size || 'GB' as package
    from unnest(array['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime']) as network, generate_series(1, 11) as size
    union all select 'airtime', network, '' from unnest(array['MTN', 'Telecel', 'AT']) as network
    union all select 'utilities', biller, '' from unnest(array['ecg', 'ghana_water', 'dstv', 'gotv', 'startimes']) as biller
    union all select 'results_checker', '', type from unnest(array['BECE', 'WASSCE']) as type
    union all select unnest(array['afa', 'sms']), '', ''
  ) as goods, unnest(array['customer', 'agent', 'dealer']) as role`

/** Writes two years of sums for each key of a slice, so that every slice holds all orders. Deliveries take 20 s to 5 minutes. */
function fillSlice(slice: string, columns: RawBuilder<unknown>, keys: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with cells as materialized (${keys}), counted as (
      select cells.*, day::date as day, ceil(${ordersPerYear}::numeric / ${days} / (select count(*) from cells))::bigint as orders
      from cells, generate_series(current_date - ${2 * days - 1}::integer, current_date, interval '1 day') as day
    )
    insert into daily_figures (slice, day, ${columns}, orders, delivered, failed, sales, refunds, cost, commission_paid,
      wait_4, wait_5, wait_6, wait_7, wait_8, wait_9, wait_10, wait_11)
    select ${slice}, day, ${columns}, orders, orders - orders / 20, orders / 20, orders * 500, orders / 20 * 500, orders * 430, orders,
      orders / 8, orders / 8, orders / 8, orders / 8, orders / 8, orders / 8, orders / 8, orders / 8
    from counted`
}

/** Writes two years of daily sums, ten million orders each, for all accounts of the bench, as the worker would. */
async function fillYears(db: Db): Promise<number> {
  await fillSlice('goods', sql`product, network, package, role`, goodsCells).execute(db)
  await fillSlice('account', sql`account_id`, sql`select id as account_id from accounts`).execute(db)
  await fillSlice('supplier', sql`supplier`, sql`select name as supplier from suppliers`).execute(db)
  await db.deleteFrom('report_progress').execute()
  await sql`
    insert into report_progress (counted, counted_at, first_day, oldest_day, searched_from, restored_until, mark_xmax, mark_at)
    select pg_current_snapshot(), now(), first_day, first_day, now(), '-infinity', pg_snapshot_xmax(pg_current_snapshot()), now()
    from (select current_date - ${2 * days - 1}::integer as first_day) as years`.execute(db)
  await sql`vacuum analyze daily_figures`.execute(db)
  const { rows } = await sql<{ count: number }>`select count(*) as count from daily_figures`.execute(db)
  return rows[0]?.count ?? 0
}

/** Reads the reports of a year beside the year before, in every grouping, several times. */
async function readReports({ db, options, say }: Bench): Promise<Map<string, number>> {
  const to = dayInAccra(new Date())
  const period = { from: addDays(to, 1 - days), to }
  const milliseconds = new Map<string, number>()
  for (const by of groupings) {
    const taken: number[] = []
    for (let round = 0; round <= options.rounds; round += 1) {
      const begunAt = performance.now()
      const { total, totalBefore } = await readSales(db, period, by)
      taken.push(performance.now() - begunAt)
      const least = Math.min(total?.orders ?? 0, totalBefore?.orders ?? 0)
      if (least < ordersPerYear) throw new Error(`the report by ${by} has ${least} orders only`)
    }
    // The first round, which may read from the disk, counts like the others.
    milliseconds.set(by, median(taken))
    say(`  by ${by}: ${taken.map((each) => Math.round(each)).join(', ')} ms`)
  }
  return milliseconds
}

/** Reports of two years, from sums that exist only while this part runs. */
export const reportPart: Part = {
  name: 'report',
  measures: 'reports of a year of ten million orders beside the year before',
  isForFullRunOnly: true,
  async run(bench) {
    const rows = await fillYears(bench.db)
    const milliseconds = await readReports(bench)
    for (const table of ['daily_figures', 'report_progress'] as const) await bench.db.deleteFrom(table).execute()
    const [slowest = ['', 0]] = [...milliseconds].toSorted(([, a], [, b]) => b - a)
    return {
      ratios: [
        below(
          'report of a year of 10,000,000 orders, s',
          slowest[1] / 1_000,
          2,
          `by ${slowest[0]}, the slowest, beside the year before, from ${rows.toLocaleString('en-US')} daily sums`,
        ),
      ],
      figures: Object.fromEntries([...milliseconds].map(([by, each]) => [`report by ${by}, ms`, each])),
    }
  },
}
