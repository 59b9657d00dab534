import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

/** Sizes are kept for a year and a month, so that a month can be compared with the same one a year ago. */
const keptDays = 400

/** Growth is measured over this many days: long enough to contain a month's end, short enough to follow a growing shop. */
const paceDays = 30

/** Measures the size of the database. The last measurement of a day stays. */
export async function recordDataSize(db: Db): Promise<void> {
  await sql`
    insert into data_sizes (day, bytes) select (now() at time zone 'UTC')::date, pg_database_size(current_database())
    on conflict (day) do update set bytes = excluded.bytes, measured_at = clock_timestamp()`.execute(db)
  await sql`delete from data_sizes where day < (now() at time zone 'UTC')::date - ${keptDays}::integer`.execute(db)
}

export type DataPace = {
  readonly bytes: number
  /** The days between the first and the last measurement. */
  readonly days: number
  readonly bytesPerDay: number
}

/** Reads how fast the database grows. Undefined unless it was measured on at least two of the last `paceDays` days. */
export async function readDataPace(db: Db): Promise<DataPace | undefined> {
  const { rows } = await sql<{ first: number; last: number; seconds: number }>`
    select (array_agg(bytes order by day))[1] as first, (array_agg(bytes order by day desc))[1] as last,
      extract(epoch from max(measured_at) - min(measured_at))::float8 as seconds
    from data_sizes where day >= (now() at time zone 'UTC')::date - ${paceDays}::integer
    having count(*) > 1`.execute(db)
  const [row] = rows
  if (!row || row.seconds <= 0) return undefined
  const days = row.seconds / 86_400
  return { bytes: row.last, days, bytesPerDay: (row.last - row.first) / days }
}
