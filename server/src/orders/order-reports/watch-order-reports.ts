import { sql } from 'kysely'
import type { Logger } from 'pino'
import { isAlarmOpen, matchAlarms } from '../../notices/match-alarms.ts'
import type { Db } from '../../platform/database/database.ts'
import { showMoment } from '../../platform/texts-for-people.ts'

const reportsAlarm = 'orders_reported'

/** True while a report waits for an answer, or the alarm about reports is open. */
export const areReportsWaiting = sql<boolean>`
  exists (select from order_reports where answered_at is null) or ${isAlarmOpen(reportsAlarm)}`

/** Raises one alarm while reports of orders that did not arrive wait for an answer, and clears it when none waits. */
export async function watchOrderReports(db: Db, log: Pick<Logger, 'error' | 'info'>): Promise<void> {
  const { rows } = await sql<{ count: number; oldest: Date | null }>`
    select count(*)::int as count, min(reported_at) as oldest from order_reports where answered_at is null`.execute(db)
  const [{ count, oldest } = { count: 0, oldest: null }] = rows
  const message = `${count} ${count === 1 ? 'order is' : 'orders are'} reported as not delivered, the first at ${oldest ? showMoment(oldest) : ''}.`
  await matchAlarms(
    db,
    log,
    reportsAlarm,
    count === 0 ? [] : [{ subject: 'orders', message, command: 'See `makola order reports`.' }],
  )
}
