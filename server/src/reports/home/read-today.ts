import { type RawBuilder, sql } from 'kysely'
import type { ProductFacts } from '../../orders/product-facts.ts'
import type { Db } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/database/first-id-at.ts'

const hourMilliseconds = 3_600_000
const dayMilliseconds = 24 * hourMilliseconds

/**
 * An order's id contains the time of the process that made it. We assume that its clock differs from the database's by at
 * most this.
 */
const idToleranceMilliseconds = 60_000

/** The start of a moment's day in Accra (UTC). */
export const beginOfDay = (moment: Date) => new Date(Math.floor(moment.getTime() / dayMilliseconds) * dayMilliseconds)

/**
 * Selects orders of `orders` that still count as sales: their money was not refunded. A cancelled registration counts if its
 * fee was kept. Looks up the refund by its key, and only for cancelled orders: with `exists`, PostgreSQL might read all
 * refunds.
 */
const isSold: RawBuilder<boolean> = sql`(status <> 'refunded' and case when status = 'cancelled'
  then (select true from transfers where cause_id = orders.id and transfers.kind = 'refund' limit 1) is null else true end)`

type Row = { hour: number; count: number; sales: number; count_by_now: number; sales_by_now: number }

/**
 * Sales of a day in money, by hour, without refunded orders. Reads only the account's orders of that day, through the index by
 * age.
 */
async function readDay(db: Db, moneyKinds: readonly string[], accountId: string, begin: Date, now: Date): Promise<Row[]> {
  const end = new Date(begin.getTime() + dayMilliseconds)
  const { rows } = await sql<Row>`
    select floor(extract(epoch from created_at - ${begin}::timestamptz) / 3600)::int as hour,
      count(*)::int as count, sum(price)::float8 as sales,
      count(*) filter (where created_at <= ${now})::int as count_by_now,
      coalesce(sum(price) filter (where created_at <= ${now}), 0)::float8 as sales_by_now
    from orders
    where account_id = ${accountId} and kind = any(${moneyKinds}::text[]) and ${isSold}
      and id >= ${firstIdAt(begin.getTime() - idToleranceMilliseconds)}::uuid
      and id < ${firstIdAt(end.getTime() + idToleranceMilliseconds)}::uuid
      and created_at >= ${begin} and created_at < ${end}
    group by 1`.execute(db)
  return rows
}

const hoursOfDay = 24
const sumOf = (rows: readonly Row[], field: keyof Row) => rows.reduce((sum, row) => sum + row[field], 0)

/** Sales up to the end of each of the day's first hours. */
function addUpHours(rows: readonly Row[], hours: number): number[] {
  const sales = new Map(rows.map((row) => [row.hour, row.sales]))
  let sum = 0
  return Array.from({ length: hours }, (_, hour) => {
    sum += sales.get(hour) ?? 0
    return sum
  })
}

/** Reads an account's sales of today, and of the same weekday last week: the whole day, and up to the time of day of `now`. */
export async function readToday(db: Db, products: readonly ProductFacts[], accountId: string, now: Date) {
  const moneyKinds = products.filter(({ unit }) => unit === 'pesewas').map(({ name }) => name)
  const begin = beginOfDay(now)
  const weekAgo = (moment: Date) => new Date(moment.getTime() - 7 * dayMilliseconds)
  const [today, before] = await Promise.all([
    readDay(db, moneyKinds, accountId, begin, now),
    readDay(db, moneyKinds, accountId, weekAgo(begin), weekAgo(now)),
  ])
  const hoursGone = Math.floor((now.getTime() - begin.getTime()) / hourMilliseconds) + 1
  return {
    salesPesewas: sumOf(today, 'sales'),
    orders: sumOf(today, 'count'),
    salesBeforePesewas: sumOf(before, 'sales_by_now'),
    ordersBefore: sumOf(before, 'count_by_now'),
    hours: addUpHours(today, hoursGone),
    hoursBefore: addUpHours(before, hoursOfDay),
  }
}
