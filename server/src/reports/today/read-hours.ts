import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/database/first-id-at.ts'
import { isSold } from '../is-sold.ts'

const hourMilliseconds = 3_600_000

/** The ids of orders are made by processes whose clocks differ from the database's by no more than this. */
const idToleranceMilliseconds = 60_000

/** The sales of an hour in whole pesewas, without the orders whose money went back since. */
export type HourSales = { readonly orders: number; readonly sales: number }

const noSales: HourSales = { orders: 0, sales: 0 }

async function readRange(db: Db, kinds: readonly string[], from: number, to: number): Promise<ReadonlyMap<number, HourSales>> {
  const { rows } = await sql<{ hour: number; orders: number; sales: number }>`
    select floor(extract(epoch from created_at) / 3600)::int as hour, count(*)::int as orders, sum(price)::float8 as sales
    from orders
    where id >= ${firstIdAt(from - idToleranceMilliseconds)}::uuid and id < ${firstIdAt(to + idToleranceMilliseconds)}::uuid
      and created_at >= ${new Date(from)} and created_at < ${new Date(to)}
      and kind = any(${kinds}::text[]) and ${isSold}
    group by 1`.execute(db)
  return new Map(rows.map(({ hour, orders, sales }) => [hour * hourMilliseconds, { orders, sales }]))
}

/** The sales of a past hour change only by late refunds, so they are read again at the earliest after this time. */
const pastHourMilliseconds = 10 * 60_000

/** Reads the sales of whole hours, and remembers those that are over. */
export function createHourReader(db: Db, kinds: readonly string[]) {
  const known = new Map<number, { readonly sales: HourSales; readonly readAt: number }>()

  /** The sales of each hour from `from` to `to`, both at a full hour. */
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
      const found = await readRange(db, kinds, first, last + hourMilliseconds)
      for (let hour = first; hour <= last; hour += hourMilliseconds) {
        known.set(hour, { sales: found.get(hour) ?? noSales, readAt: now })
      }
    }
    for (const hour of known.keys()) if (hour < now - 9 * 24 * hourMilliseconds) known.delete(hour)
    return hours.map((hour) => known.get(hour)?.sales ?? noSales)
  }

  return {
    readHours,
    /** The sales since the beginning of an hour up to a moment in it. */
    async readPart(from: number, to: number): Promise<HourSales> {
      if (to <= from) return noSales
      const found = await readRange(db, kinds, from, to)
      return found.get(from) ?? noSales
    },
  }
}
