import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { PutAwayMonth } from '../platform/partitions/put-away-months.ts'

type DueMonth = PutAwayMonth & {
  /** The month is being put away, and this is not finished. False for a month that is being brought back. */
  readonly isBegun: boolean
  /**
   * A day has passed since the last phone numbers of its orders were due to be forgotten (setting `number_months`). We assume
   * that they are forgotten by now, so the files of the month will hold no full number.
   */
  readonly isOldEnough: boolean
  /** True also while it is still being brought back, perhaps by a command that was interrupted. */
  readonly wasBroughtBack: boolean
}

/** The months before the month `before` of which the database still has rows, oldest first. */
export async function listDueMonths(db: Db, before: string): Promise<DueMonth[]> {
  const { rows } = await sql<DueMonth>`
    select to_char(month, 'YYYY-MM') as month, first, "end", folder, host,
      coalesce(state in ('taken_out', 'written'), false) as "isBegun",
      (month + interval '1 month') at time zone 'UTC' <= forget_numbers_before() - interval '1 day' as "isOldEnough",
      state is not distinct from 'coming_back'
        or exists (select from operator_log where action = 'archive bring-back' and subject = to_char(month, 'YYYY-MM')) as "wasBroughtBack"
    from (
      select to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM') as month from pg_inherits where inhparent = 'transfers'::regclass
    ) as partition
    cross join lateral (
      select first_id_at(month::timestamp at time zone 'UTC') as first,
        first_id_at((month + interval '1 month') at time zone 'UTC') as "end"
    ) as ids
    left join put_away_months using (month)
    where month < ${`${before}-01`}::date and state is distinct from 'put_away'
      and (state is not null or exists (select from transfers where cause_id >= first and cause_id < "end"))
    order by month`.execute(db)
  return rows
}
