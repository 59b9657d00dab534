import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import type { Period } from './period.ts'

/** Days that the daily sums contain. */
export type CountedDays = {
  /** Everything committed before this moment is in the sums. Null when nothing has been counted yet. */
  readonly asOf: Date | null
  /** Days before this one are still being counted. Null when all days are counted, or none is. */
  readonly countedFrom: string | null
  /** The day of `asOf`. */
  readonly countedTo: string | null
}

/** SQL of one row with the counted days; it has a row also before anything is counted. */
export const countedDays: RawBuilder<CountedDays> = sql`(
  select counted_at as "asOf", case when first_day > oldest_day then first_day::text end as "countedFrom",
    (counted_at at time zone 'Africa/Accra')::date::text as "countedTo"
  from (select) as always left join report_progress on true)`

export async function readCountedDays(db: Db | Tx): Promise<CountedDays> {
  const { rows } = await sql<CountedDays>`select * from ${countedDays} as counted`.execute(db)
  return rows[0] ?? { asOf: null, countedFrom: null, countedTo: null }
}

/** Whether the daily sums hold all days of a period, some of them, or none. */
export const coverages = ['all', 'part', 'none'] as const
export type Coverage = (typeof coverages)[number]

/** How much of a period is counted. A period that ends after `countedTo` may be `all`; one that begins after it is `none`. */
export function coverageOf({ from, to }: Period, { countedFrom, countedTo }: CountedDays): Coverage {
  if (countedTo === null || from > countedTo) return 'none'
  if (countedFrom === null || from >= countedFrom) return 'all'
  return to < countedFrom ? 'none' : 'part'
}

/** Shown instead of a figure of days that are not counted yet. */
export const notCountedYet = 'not counted yet'

/** Describes until when the sums are complete, and that the worker counts the rest. */
export function describeCounted({ asOf, countedFrom }: Pick<CountedDays, 'asOf' | 'countedFrom'>): string {
  if (asOf === null) return 'Nothing is counted yet. A worker does it by itself, the newest days first.'
  const older = `Counted since ${countedFrom ?? ''}: the worker goes on by itself with the days before, the newest first.`
  return `${countedFrom === null ? '' : `${older}\n`}As of ${asOf.toISOString()}.`
}
