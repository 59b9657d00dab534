import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../database/database.ts'

/** A month that is put away, and the ids of its rows: from `first` on, below `end`. */
export type PutAwayMonth = {
  /** Such as `2025-03`. */
  readonly month: string
  readonly first: string
  readonly end: string
  /** The folder of its files, and the machine; null until they are written. */
  readonly folder: string | null
  readonly host: string | null
}

/** The months that are put away, oldest first. */
export async function listPutAwayMonths(db: Db | Tx): Promise<PutAwayMonth[]> {
  const { rows } = await sql<PutAwayMonth>`
    select to_char(month, 'YYYY-MM') as month, folder, host,
      first_id_at(month::timestamp at time zone 'UTC') as first,
      first_id_at((month + interval '1 month') at time zone 'UTC') as end
    from put_away_months order by put_away_months.month`.execute(db)
  return rows
}

/** The condition that the month of a day is not put away. */
export const isOfPresentMonth = (day: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`date_trunc('month', ${day})::date <> all(array(select month from put_away_months))`
