import { sql } from 'kysely'
import type { Logger } from 'pino'
import { isAlarmOpen, matchAlarms } from '../../notices/match-alarms.ts'
import type { Db } from '../../platform/database/database.ts'
import { orderById } from '../order.ts'
import { isStuck, stuckReasons } from './stuck-condition.ts'

export const stuckAlarm = 'orders_stuck'

/** False: there is nothing to do. Only an open order can be stuck, and only an open alarm can be cleared. */
export const mayOrdersBeStuck = sql<boolean>`exists (select from open_orders) or ${isAlarmOpen(stuckAlarm)}`

type StuckGroup = { route: string; reason: keyof typeof stuckReasons; count: number; oldest: string }

/**
 * Raises one alarm per route and reason for the orders that need a person, however many they are.
 * Clears an alarm when its route and reason have no such order any more.
 */
export async function raiseStuckAlarms(db: Db, log: Pick<Logger, 'error' | 'info'>): Promise<void> {
  const { rows } = await sql<StuckGroup>`
    select open_orders.route, coalesce(open_orders.hold_reason, 'overdue') as reason, count(*)::integer as count,
      (array_agg(orders.reference order by orders.created_at))[1] as oldest
    from open_orders cross join ${orderById(sql`open_orders.order_id`)}
    where ${isStuck}
    group by open_orders.route, coalesce(open_orders.hold_reason, 'overdue')`.execute(db)
  const causes = rows.map(({ route, reason, count, oldest }) => ({
    subject: `${route} ${reason}`,
    message: `${count} order${count === 1 ? ' needs' : 's need'} a person on ${route}: ${stuckReasons[reason]}. The oldest is ${oldest}.`,
    command: 'See `makola order list --stuck`.',
  }))
  await matchAlarms(db, log, stuckAlarm, causes)
}
