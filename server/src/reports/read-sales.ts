import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { type CountedDays, countedDays, coverageOf, readCountedDays } from './counted-days.ts'
import { measures, waitColumns } from './measures.ts'
import { countDays, type Period, periodBefore, wholeMonths } from './period.ts'
import { figuresOf, noSums, type SalesFigures, type Sums } from './sales-figures.ts'

export const groupings = ['day', 'week', 'month', 'product', 'network', 'package', 'supplier', 'account', 'role'] as const
export type Grouping = (typeof groupings)[number]

export type SalesRow = {
  /** A day, an ISO week (`2026-W47`), a month, a name, or an account's e-mail. */
  readonly key: string
  /** The account of this line. Absent unless the report is by account. */
  readonly account?: { readonly id: string; readonly name: string }
  /** Null when none of its days is counted yet. */
  readonly figures: SalesFigures | null
  /**
   * The figures of the period before, without the times to delivery. A day, week or month is compared with its own earlier
   * days. Null until all of these days are counted, so that no incomplete figures are compared.
   */
  readonly before: SalesFigures | null
}

export type SalesReport = {
  readonly period: Period
  readonly by: Grouping
  readonly rows: readonly SalesRow[]
  readonly total: SalesFigures | null
  readonly periodBefore: Period
  readonly totalBefore: SalesFigures | null
} & Pick<CountedDays, 'asOf' | 'countedFrom'>

/**
 * For each grouping, the slice with its sums and the key of its lines. The key is `none` for orders without a network or
 * supplier.
 */
const sources: Readonly<
  Record<Grouping, { readonly slice: 'goods' | 'account' | 'supplier'; readonly key: RawBuilder<string> }>
> = {
  day: { slice: 'goods', key: sql`to_char(calendar.day, 'YYYY-MM-DD')` },
  week: { slice: 'goods', key: sql`to_char(calendar.day, 'IYYY-"W"IW')` },
  month: { slice: 'goods', key: sql`to_char(calendar.day, 'YYYY-MM')` },
  product: { slice: 'goods', key: sql`product` },
  network: { slice: 'goods', key: sql`coalesce(nullif(network, ''), 'none')` },
  package: {
    slice: 'goods',
    key: sql`case package when '' then concat_ws(' ', product, nullif(network, '')) else concat_ws(' ', nullif(network, ''), package) end`,
  },
  role: { slice: 'goods', key: sql`role` },
  supplier: { slice: 'supplier', key: sql`supplier` },
  account: { slice: 'account', key: sql`account_id` },
}

const isTime = (by: Grouping) => by === 'day' || by === 'week' || by === 'month'

const sumsOf = (columns: readonly string[]) =>
  sql.raw(columns.map((column) => `coalesce(sum(${column}), 0)::bigint as ${column}`).join(', '))
const amounts = sumsOf(measures)
const sums = sumsOf([...measures, ...waitColumns])

/** The sums of a line. For a day, week or month also the days that the sums cover. */
type KeyedSums = Sums & { readonly key: string; readonly from?: string; readonly to?: string }

/** Each day gets the figures of the day that is `days` days earlier. `to` is the last day whose figures are used. */
type Earlier = { readonly days: number; readonly to: string }

/** Sums by day, week or month. Days without orders get lines too, up to the last counted day, or today if none is counted. */
async function sumByTime(tx: Tx, by: Grouping, { from, to }: Period, earlier: Earlier = { days: 0, to }): Promise<KeyedSums[]> {
  const { slice, key } = sources[by]
  const { rows } = await sql<KeyedSums>`
    select ${key} as key, ${sums},
      (min(calendar.day) - ${earlier.days}::integer)::text as from, (max(calendar.day) - ${earlier.days}::integer)::text as to
    from (
      select generate_series(${from}::date, least(${to}::date, coalesce("countedTo"::date, (now() at time zone 'Africa/Accra')::date)),
        interval '1 day')::date as day
      from ${countedDays} as counted
    ) as calendar
    left join daily_figures on daily_figures.slice = ${slice} and daily_figures.day = calendar.day - ${earlier.days}::integer
      and daily_figures.day <= ${earlier.to}::date
    group by 1 order by 1`.execute(tx)
  return rows
}

async function sumByKey(tx: Tx, by: Grouping, { from, to }: Period, wanted = sums): Promise<KeyedSums[]> {
  const { slice, key } = sources[by]
  const { rows } = await sql<KeyedSums>`
    select ${key} as key, ${wanted}
    from daily_figures where slice = ${slice} and day between ${from}::date and ${to}::date
    group by 1 order by sum(sales) desc, 1`.execute(tx)
  return rows
}

async function sumAll(tx: Tx, { from, to }: Period): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select ${sums} from daily_figures where slice = 'goods' and day between ${from}::date and ${to}::date`.execute(tx)
  return rows[0] ?? noSums
}

/** Adds a line for open orders: the supplier of a sale is known only when its order ends. */
function withOpenOrders(rows: readonly KeyedSums[], all: Sums): KeyedSums[] {
  const left = { ...noSums, key: 'open' } as Record<string, number> & { key: string }
  for (const measure of ['orders', 'sales', 'credits_spent'] as const) {
    left[measure] = (all[measure] ?? 0) - rows.reduce((sum, row) => sum + (row[measure] ?? 0), 0)
  }
  return left['orders'] === 0 ? [...rows] : [...rows, left]
}

async function sumRows(tx: Tx, by: Grouping, period: Period, all: Sums, wanted = sums): Promise<KeyedSums[]> {
  if (isTime(by)) return sumByTime(tx, by, period)
  const rows = await sumByKey(tx, by, period, wanted)
  return by === 'supplier' ? withOpenOrders(rows, all) : rows
}

/**
 * The sums of the period before, under the keys of this period. The nth day has the sums of the nth day of the period before.
 */
async function sumRowsBefore(tx: Tx, by: Grouping, period: Period, all: Sums, rows: readonly KeyedSums[]): Promise<KeyedSums[]> {
  const earlier = periodBefore(period)
  if (!isTime(by)) return sumRows(tx, by, earlier, all, amounts)
  // Whole months have different lengths, so a month is compared with a month.
  if (by === 'month' && wholeMonths(period) > 0) {
    const months = await sumByTime(tx, by, earlier)
    return rows.flatMap(({ key }, index) => (months[index] ? [{ ...months[index], key } as KeyedSums] : []))
  }
  const days = countDays({ from: earlier.from, to: period.from }) - 1
  return sumByTime(tx, by, period, { days, to: earlier.to })
}

type AccountName = { readonly id: string; readonly email: string; readonly name: string }

async function readAccounts(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, AccountName>> {
  const { rows } = await sql<AccountName>`select id, email, name from accounts where id = any(${ids}::uuid[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The figures of the period before: without the times to delivery, and null unless all of its days are counted. */
function figuresBefore(sumsBefore: Sums, period: Period, counted: CountedDays): SalesFigures | null {
  const figures = coverageOf(period, counted) === 'all' ? figuresOf(sumsBefore, 'all') : null
  return figures && { ...figures, medianMinutes: null, p95Minutes: null }
}

type Asked = { readonly by: Grouping; readonly period: Period; readonly earlier: Period; readonly counted: CountedDays }
type Totals = { readonly all: Sums; readonly allBefore: Sums }

/**
 * The lines of the report. A line without days of its own, such as that of a product, covers the whole period, and is left out
 * while no day is counted.
 */
async function readRows(tx: Tx, { by, period, earlier, counted }: Asked, { all, allBefore }: Totals): Promise<SalesRow[]> {
  const hasLines = isTime(by) || coverageOf(period, counted) !== 'none'
  const rows = hasLines ? await sumRows(tx, by, period, all) : []
  const hasBefore = isTime(by) || coverageOf(earlier, counted) === 'all'
  const before = hasBefore ? await sumRowsBefore(tx, by, period, allBefore, rows) : []
  const earlierByKey = new Map(before.map((row) => [row.key, row]))
  const known = new Set(rows.map(({ key }) => key))
  // A key that had sales before and has none now gets a line too.
  const gone = before.flatMap(({ key }) => (known.has(key) ? [] : [{ ...noSums, key } as KeyedSums]))
  const lines = [...rows, ...gone]
  const ids = lines.map(({ key }) => key)
  const names = by === 'account' ? await readAccounts(tx, ids) : undefined
  const daysOf = ({ from, to }: KeyedSums, others: Period) => (from === undefined || to === undefined ? others : { from, to })
  return lines.map((row) => {
    const account = names?.get(row.key)
    const rowBefore = earlierByKey.get(row.key) ?? ({ ...noSums, key: row.key } as KeyedSums)
    return {
      key: account?.email ?? row.key,
      ...(account && { account: { id: account.id, name: account.name } }),
      figures: figuresOf(row, coverageOf(daysOf(row, period), counted)),
      before: figuresBefore(rowBefore, daysOf(rowBefore, earlier), counted),
    }
  })
}

/** Reads the sales of a period, grouped in one way, with the same figures of the period before. */
export function readSales(db: Db, period: Period, by: Grouping): Promise<SalesReport> {
  const earlier = periodBefore(period)
  // One snapshot, so that lines and totals match.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const counted = await readCountedDays(tx)
      const totals = { all: await sumAll(tx, period), allBefore: await sumAll(tx, earlier) }
      return {
        period,
        by,
        rows: await readRows(tx, { by, period, earlier, counted }, totals),
        total: figuresOf(totals.all, coverageOf(period, counted)),
        periodBefore: earlier,
        totalBefore: coverageOf(earlier, counted) === 'all' ? figuresOf(totals.allBefore, 'all') : null,
        asOf: counted.asOf,
        countedFrom: counted.countedFrom,
      }
    })
}
