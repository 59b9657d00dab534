import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

const hourMilliseconds = 3_600_000

/** Orders of an hour, and its sales in whole pesewas: payments into `sales`, before refunds. */
export type HourSales = { readonly orders: number; readonly sales: number }

const noSales: HourSales = { orders: 0, sales: 0 }

async function readRange(db: Db, from: number, to: number): Promise<ReadonlyMap<number, HourSales>> {
  const { rows } = await sql<{ hour: number; orders: number; sales: number }>`
    select floor(extract(epoch from created_at) / 3600)::int as hour, (count(*) filter (where kind = 'purchase'))::int as orders,
      coalesce(sum(amount) filter (where to_purse = 'sales'), 0)::float8 as sales
    from transfers
    where created_at >= ${new Date(from)} and created_at < ${new Date(to)} and to_purse in ('sales', 'sms_sales')
    group by 1`.execute(db)
  return new Map(rows.map(({ hour, orders, sales }) => [hour * hourMilliseconds, { orders, sales }]))
}

/**
 * A past hour is read again when its last read is older than this, because a transfer is committed a little after its own time.
 */
const pastHourMilliseconds = 10 * 60_000

/** Reads the sales of whole hours, and caches those that are over. */
export function createHourReader(db: Db) {
  const known = new Map<number, { readonly sales: HourSales; readonly readAt: number }>()

  /** Sales of each hour from `from` to `to`, both full hours. */
  async function readHours(from: number, to: number): Promise<HourSales[]> {
    const now = Date.now()
    const hours = Array.from({ length: Math.max(0, (to - from) / hourMilliseconds) }, (_, nth) => from + nth * hourMilliseconds)
    const isFresh = (hour: number) => {
      const read = known.get(hour)
      return read !== undefined && read.readAt >= hour + hourMilliseconds && now - read.readAt < pastHourMilliseconds
    }
    const wanted = hours.filter((hour) => !isFresh(hour))
    const [first] = wanted
    const last = wanted.at(-1)
    if (first !== undefined && last !== undefined) {
      const found = await readRange(db, first, last + hourMilliseconds)
      for (let hour = first; hour <= last; hour += hourMilliseconds) {
        known.set(hour, { sales: found.get(hour) ?? noSales, readAt: now })
      }
    }
    for (const hour of known.keys()) if (hour < now - 9 * 24 * hourMilliseconds) known.delete(hour)
    return hours.map((hour) => known.get(hour)?.sales ?? noSales)
  }

  return {
    readHours,
    /** Sales from the beginning of an hour up to a moment in it. */
    async readPart(from: number, to: number): Promise<HourSales> {
      if (to <= from) return noSales
      const found = await readRange(db, from, to)
      return found.get(from) ?? noSales
    },
  }
}
