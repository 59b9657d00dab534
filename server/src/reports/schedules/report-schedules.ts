import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import type { Grouping } from '../read-sales.ts'

export const scheduledReports = ['sales', 'tax', 'balances', 'float'] as const
export type ScheduledReport = (typeof scheduledReports)[number]

/** How often a report is sent. It covers the day, ISO week (from Monday) or month that has just ended. */
export const reportIntervals = ['day', 'week', 'month'] as const
export type ReportInterval = (typeof reportIntervals)[number]

export type ReportSchedule = {
  readonly scheduleId: string
  readonly email: string
  readonly report: ScheduledReport
  /** How sales are grouped; the other reports have one form. */
  readonly by: Grouping
  readonly every: ReportInterval
  /** The hour of the day in Accra, 0 to 23. */
  readonly hour: number
  readonly nextAt: Date
  /** The last day of the newest report that was sent. */
  readonly sentFor: string | null
}

/** Start of the next day, week or month in Accra (UTC), plus the hour. */
const nextBeginning = (every: ReportInterval, hour: number) =>
  sql<Date>`(date_trunc(${every}, now() at time zone 'Africa/Accra') + ('1 ' || ${every})::interval
    + make_interval(hours => ${hour})) at time zone 'Africa/Accra'`

/** The next time: today's hour, if the present day, week or month began today and the hour is still to come. */
export const nextTime = (every: ReportInterval, hour: number) => sql<Date>`
  case when (date_trunc(${every}, now() at time zone 'Africa/Accra') + make_interval(hours => ${hour})) at time zone 'Africa/Accra' > now()
    then (date_trunc(${every}, now() at time zone 'Africa/Accra') + make_interval(hours => ${hour})) at time zone 'Africa/Accra'
    else ${nextBeginning(every, hour)} end`

type ScheduleRequest = Pick<ReportSchedule, 'email' | 'report' | 'by' | 'every' | 'hour'> & { readonly actor: string }

/** Schedules a report. Scheduling the same report again changes its hour. */
export async function scheduleReport(tx: Tx, { email, report, by, every, hour, actor }: ScheduleRequest): Promise<void> {
  await sql`
    insert into report_schedules (id, email, report, grouping, every, hour, next_at)
    values (${newId()}, ${email}, ${report}, ${by}, ${every}, ${hour}, ${nextTime(every, hour)})
    on conflict on constraint report_schedules_once do update set hour = excluded.hour, next_at = excluded.next_at`.execute(tx)
  await appendOperatorLog(tx, { actor, action: 'report schedule', subject: email, details: { report, by, every, hour } })
}

/** A person's reports, the next due one first. */
export async function listSchedules(db: Db, email: string): Promise<ReportSchedule[]> {
  const { rows } = await sql<ReportSchedule>`
    select id as "scheduleId", email, report, grouping as by, every, hour, next_at as "nextAt", sent_for::text as "sentFor"
    from report_schedules where email = ${email} order by next_at, id`.execute(db)
  return rows
}

/**
 * Ends a person's report.
 * @throws OperatorRequestError when the person has no such report
 */
export async function endSchedule(
  tx: Tx,
  { scheduleId, email, actor }: { readonly scheduleId: string; readonly email: string; readonly actor: string },
): Promise<void> {
  const { rows } = await sql<{ report: string; by: string; every: string }>`
    delete from report_schedules where id = ${scheduleId} and email = ${email}
    returning report, grouping as by, every`.execute(tx)
  const [ended] = rows
  if (!ended) throw new OperatorRequestError('This report is not sent to you any more.')
  await appendOperatorLog(tx, { actor, action: 'report unschedule', subject: email, details: ended })
}
