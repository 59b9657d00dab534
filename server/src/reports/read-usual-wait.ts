import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { minutesToDelivery, waitColumns } from './measures.ts'

/** Days over which the median is taken, today included. */
const days = 14

/** Fewer deliveries give no useful median. */
const deliveriesMin = 5

const counts: RawBuilder<number[]> = sql.raw(
  `array[${waitColumns.map((column) => `coalesce(sum(${column}), 0)::float8`).join(', ')}]`,
)

/**
 * The median time to delivery of a product on a network, in minutes. Null when fewer than `deliveriesMin` orders were delivered
 * in the last `days` days.
 */
export async function readUsualWait(
  db: Db,
  { product, network }: { readonly product: string; readonly network: string },
): Promise<number | null> {
  const { rows } = await sql<{ counts: number[] }>`
    select ${counts} as counts from daily_figures
    where slice = 'goods' and product = ${product} and network = ${network}
      and day = any(array(select (now() at time zone 'Africa/Accra')::date - ago from generate_series(0, ${days - 1}) as ago))`.execute(
    db,
  )
  const waits = rows[0]?.counts ?? []
  const delivered = waits.reduce((sum, count) => sum + count, 0)
  return delivered < deliveriesMin ? null : minutesToDelivery(waits, 0.5)
}
