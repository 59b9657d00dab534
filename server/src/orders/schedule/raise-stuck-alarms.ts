import { sql } from 'kysely'
import type { Logger } from 'pino'
import { clearAlarms } from '../../notices/clear-alarm.ts'
import { raiseAlarms } from '../../notices/raise-alarm.ts'
import type { Db } from '../../platform/database/database.ts'
import { isStuck } from './stuck-condition.ts'

export const stuckAlarm = 'orders_stuck'

type StuckGroup = { route: string; reason: string; count: number; oldest: string }

/**
 * Raises one alarm per route and reason for the orders that need a person, and clears those that have no
 * such order any more. Many orders of one cause are one alarm.
 */
export async function raiseStuckAlarms(db: Db, log: Pick<Logger, 'error' | 'info'>): Promise<void> {
  const { rows } = await sql<StuckGroup>`
    select open_orders.route, coalesce(open_orders.hold_reason, 'overdue') as reason, count(*)::integer as count,
      (array_agg(orders.reference order by orders.created_at))[1] as oldest
    from open_orders join orders on orders.id = open_orders.order_id
    where ${isStuck}
    group by open_orders.route, coalesce(open_orders.hold_reason, 'overdue')`.execute(db)
  const alarms = rows.map(({ route, reason, count, oldest }) => ({
    name: stuckAlarm,
    subject: `${route} ${reason}`,
    message: `${count} order${count === 1 ? ' needs' : 's need'} a person on ${route} (${reason}); the oldest is ${oldest}. See \`makola order list --stuck\`.`,
  }))
  const fresh = await raiseAlarms(db, alarms)
  for (const { name, subject, message } of fresh) log.error({ alarm: name, subject }, message)
  const cleared = await clearAlarms(
    db,
    stuckAlarm,
    alarms.map(({ subject }) => subject),
  )
  for (const subject of cleared) log.info({ alarm: stuckAlarm, subject }, 'alarm cleared')
}
