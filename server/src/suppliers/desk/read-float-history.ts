import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** Reads of our float at a supplier, and its movements. Amounts in pesewas. */
export type FloatPast = {
  readonly reads: readonly { readonly at: Date; readonly amount: number }[]
  readonly movements: readonly {
    readonly id: string
    readonly at: Date
    readonly amount: number
    readonly note: string
    readonly noted_by: string
  }[]
}

/** The most stored reads that are returned. A chart gains nothing from more points. */
const readsMax = 3_500

/**
 * Reads a supplier's float history of the last days: up to 3,500 stored reads, oldest first, then the newest read, stored or
 * not; and up to 200 movements, newest first.
 */
export async function readFloatHistory(db: Db, supplier: string, days: number): Promise<FloatPast> {
  const since = sql`clock_timestamp() - make_interval(days => ${days})`
  const [reads, movements] = await Promise.all([
    sql<{ at: Date; amount: number }>`
      select at, amount from (
        (select read_at as at, float_pesewas as amount from supplier_float_reads
          where supplier = ${supplier} and read_at > ${since} order by read_at desc limit ${readsMax})
        union
        select float_read_at, float_pesewas from suppliers where name = ${supplier} and float_read_at > ${since}
      ) as read order by at`.execute(db),
    sql<FloatPast['movements'][number]>`
      select id, moved_at as at, amount, note, noted_by from supplier_float_movements
      where supplier = ${supplier} and moved_at > ${since} order by moved_at desc limit 200`.execute(db),
  ])
  return { reads: reads.rows, movements: movements.rows }
}
