import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { nextTime, type ReportInterval } from './report-schedules.ts'

/** Queues the mail of a report. The report is made when the mail is sent, of the period that ends with `lastDay`. */
export type QueueReport = (
  tx: Tx,
  report: { readonly email: string; readonly scheduleId: string; readonly lastDay: string },
) => Promise<void>

/** The most schedules that one call handles. */
const takenMax = 50

type Due = { id: string; email: string; every: ReportInterval; hour: number; last_day: string; is_sent: boolean }

/**
 * Queues a mail for each due report, once: the mail and the next time are written together. A report waits until all its
 * days are counted. After a time without a worker, only the newest report is sent.
 */
export async function queueDueReports(db: Db, queueReport: QueueReport): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<Due>`
      select id, email, every, hour, last_day::text, coalesce(sent_for >= last_day, false) as is_sent from report_schedules
      cross join lateral (
        select (date_trunc(every, now() at time zone 'Africa/Accra') - interval '1 day')::date as last_day
      ) as period
      where next_at <= now()
        and exists (
          select from report_progress
          where counted_at >= (last_day + 1)::timestamp at time zone 'Africa/Accra'
            and first_day <= greatest(oldest_day, date_trunc(every, last_day::timestamp)::date))
      order by next_at limit ${takenMax} for update of report_schedules skip locked`.execute(tx)
    for (const { id, email, every, hour, last_day, is_sent } of rows) {
      // A changed hour may make a report due that was sent already. It is not sent twice.
      if (!is_sent) await queueReport(tx, { email, scheduleId: id, lastDay: last_day })
      await sql`
        update report_schedules set next_at = ${nextTime(every, hour)}, sent_for = ${last_day}::date where id = ${id}`.execute(tx)
    }
  })
}
