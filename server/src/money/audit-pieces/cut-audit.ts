import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/database/first-id-at.ts'

/** Ids from `first` on and below `end`. Without an end: all that follow. */
export type IdRange = { readonly first: string; readonly end?: string | undefined }

/** Days of Accra from `first` on and before `end`, as texts of PostgreSQL's type `date`. */
export type DayRange = { readonly first: string; readonly end: string }

const smallestId = '00000000-0000-0000-0000-000000000000'

const dayMilliseconds = 24 * 3_600_000

/** A run that is not full checks the orders of the last two days; older orders rarely change. */
const recentDays = 2

export const firstIdOf = (isFull: boolean) => (isFull ? smallestId : firstIdAt(Date.now() - recentDays * dayMilliseconds))

export const withinIds =
  ({ first, end }: IdRange) =>
  (id: RawBuilder<unknown>): RawBuilder<unknown> =>
    end === undefined ? sql`${id} >= ${first}::uuid` : sql`(${id} >= ${first}::uuid and ${id} < ${end}::uuid)`

/**
 * Cuts the ids into ranges of about `transfersMax` transfers. Orders placed since the run began are left to the next run,
 * unless they fit into the last range: on a busy platform a run would never end otherwise.
 */
export async function* idPieces(db: Db, firstId: string, transfersMax: number): AsyncGenerator<IdRange> {
  const startedAt = Date.now()
  let first = firstId
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select cause_id as id from transfers where cause_id > ${first}::uuid order by cause_id offset ${transfersMax} limit 1`.execute(
      db,
    )
    const end = rows[0]?.id
    yield { first, end }
    if (end === undefined) return
    first = end
    // Skips the ids of orders placed since the run began. Ids that hold no time, such as those of old credits, lie after
    // tomorrow's and are still checked.
    const tomorrow = firstIdAt(startedAt + dayMilliseconds)
    if (first >= firstIdAt(startedAt) && first < tomorrow) first = tomorrow
  }
}

/**
 * The days to check, one by one: those of all transfers in a full run, otherwise only yesterday and today. The last range has
 * no end, and the first one of a full run has no beginning.
 */
export async function dayPieces(db: Db, isFull: boolean): Promise<DayRange[]> {
  const { rows } = await sql<{ day: string }>`
    select day::date::text as day
    from (select (now() at time zone 'Africa/Accra')::date as today) as clock
    cross join lateral (
      select case when ${isFull} then (select (min(created_at) at time zone 'Africa/Accra')::date from transfers) else today - 1 end as first
    ) as beginning
    cross join lateral generate_series(least(first, today), today, interval '1 day') as day
    order by 1`.execute(db)
  const days = rows.map(({ day }) => day)
  return days.map((day, index) => ({
    first: index === 0 && isFull ? '-infinity' : day,
    end: days[index + 1] ?? 'infinity',
  }))
}
