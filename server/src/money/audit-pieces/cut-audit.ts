import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/database/first-id-at.ts'
import { listPutAwayMonths } from '../../platform/partitions/put-away-months.ts'
import type { AuditProof } from './proof-book.ts'

/** Ids from `first` on and below `end`. Without an end: all that follow. */
export type IdRange = { readonly first: string; readonly end?: string | undefined }

/** Days of Accra from `first` on and before `end`, as texts of PostgreSQL's type `date`. */
export type DayRange = { readonly first: string; readonly end: string }

const smallestId = '00000000-0000-0000-0000-000000000000'

const dayMilliseconds = 24 * 3_600_000

/** How far back a run of the audit goes: to the beginning, to the last proof, or only to the last days. */
export type AuditReach = 'everything' | 'recent' | AuditProof

/**
 * Most changes of an order happen within this time. So the audit checks younger orders again, even without a record of a
 * change.
 */
const recentDays = 2

export const firstIdOf = (reach: AuditReach): string =>
  reach === 'everything'
    ? smallestId
    : firstIdAt((reach === 'recent' ? Date.now() : reach.provenAt.getTime()) - recentDays * dayMilliseconds)

export const withinIds =
  ({ first, end }: IdRange) =>
  (id: RawBuilder<unknown>): RawBuilder<unknown> =>
    end === undefined ? sql`${id} >= ${first}::uuid` : sql`(${id} >= ${first}::uuid and ${id} < ${end}::uuid)`

/** Like `withinIds`, for a range that is not put away. If it was put away after the ranges were cut, no id is within it. */
export const withinPresent = (range: IdRange) => {
  const isPresent = sql`not exists (select from put_away_months
    where first_id_at((month + interval '1 month') at time zone 'UTC') > ${range.first}::uuid
      and ${range.end === undefined ? sql`true` : sql`first_id_at(month::timestamp at time zone 'UTC') < ${range.end}::uuid`})`
  return (id: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${withinIds(range)(id)} and ${isPresent})`
}

export const withinListed =
  (ids: readonly string[]) =>
  (id: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`(${id} = any(${ids}::uuid[]) and ${id} between ${ids[0] ?? null}::uuid and ${ids.at(-1) ?? null}::uuid)`

/** The ranges of ids from `first` on that are not put away. The last one has no end. */
async function listPresentRanges(db: Db, first: string): Promise<IdRange[]> {
  const months = await listPutAwayMonths(db)
  const starts = [first, ...months.map(({ end }) => (end > first ? end : first))]
  return starts
    .map((start, index) => ({ first: start, end: months[index]?.first }))
    .filter(({ first: start, end }) => end === undefined || start < end)
}

/**
 * Cuts the ids that are not put away into ranges of about `transfersMax` transfers. Orders placed since the run began are left
 * to the next run, unless they fit into the last range. Otherwise, on a busy platform, a run would never end.
 */
export async function* idPieces(db: Db, firstId: string, transfersMax: number): AsyncGenerator<IdRange> {
  for (const range of await listPresentRanges(db, firstId)) yield* cutRange(db, range, transfersMax)
}

/** Cuts a range of ids into ranges of about `transfersMax` transfers. */
export async function* cutRange(db: Db, range: IdRange, transfersMax: number): AsyncGenerator<IdRange> {
  const startedAt = Date.now()
  let { first } = range
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select cause_id as id from transfers where ${withinIds({ ...range, first })(sql`cause_id`)} and cause_id > ${first}::uuid
      order by cause_id offset ${transfersMax} limit 1`.execute(db)
    const end = rows[0]?.id
    yield { first, end: end ?? range.end }
    if (end === undefined) return
    first = end
    // Skips the ids of orders placed since the run began. Ids without a time, such as those of old credits, sort after
    // tomorrow's ids and are still checked.
    const tomorrow = firstIdAt(startedAt + dayMilliseconds)
    if (first >= firstIdAt(startedAt) && first < tomorrow) first = tomorrow
  }
}

/**
 * The estimated transfers of a day, from the statistics of its month's partition: 0 without such a partition, infinite
 * without statistics. PostgreSQL plans a statement for every partition, which costs more than reading a quiet day. So one
 * statement checks several quiet days.
 */
export const transfersOfDay = (day: RawBuilder<unknown>) => sql`coalesce((
  select case when reltuples >= 0 then reltuples / 28 else 'infinity' end
  from pg_class where oid = to_regclass('transfers' || to_char(${day}, '_YYYY_MM'))), 0)`

/**
 * Ranges of the days to check, each of one day or of about `transfersMax` transfers. They begin on the day before the proof,
 * because the daily sums may not have included the last hours at that time; without a proof, yesterday. The last range has no
 * end, and the first one of a full run has no beginning.
 */
export async function dayPieces(db: Db, reach: AuditReach, transfersMax: number): Promise<DayRange[]> {
  const isFull = reach === 'everything'
  const since = typeof reach === 'string' ? null : reach.provenAt
  const { rows } = await sql<{ day: string; transfers: number }>`
    select day::date::text as day, ${transfersOfDay(sql`day`)} as transfers
    from (select (now() at time zone 'Africa/Accra')::date as today) as clock
    cross join lateral (
      select case when ${isFull} then (select (min(created_at) at time zone 'Africa/Accra')::date from transfers)
        else coalesce((${since}::timestamptz at time zone 'Africa/Accra')::date, today) - 1 end as first
    ) as beginning
    cross join lateral generate_series(least(first, today), today, interval '1 day') as day
    order by 1`.execute(db)
  const firstDays: string[] = []
  let sum = Infinity
  for (const { day, transfers } of rows) {
    sum += transfers
    if (sum <= transfersMax) continue
    firstDays.push(day)
    sum = transfers
  }
  return firstDays.map((day, index) => ({
    first: index === 0 && isFull ? '-infinity' : day,
    end: firstDays[index + 1] ?? 'infinity',
  }))
}
