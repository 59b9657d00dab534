import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** Our float at a supplier as it was read, and the money that was put in or taken out. Amounts in pesewas. */
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

/** More points than this do not make a line clearer. */
const readsMax = 3_500

/**
 * Reads how the float at a supplier was in the last days: up to 3,500 kept reads, oldest first, with the newest read
 * last, kept or not; and up to 200 movements, newest first.
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
