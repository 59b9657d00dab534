import type { Logger } from 'pino'
import { clearAlarms } from '../../notices/clear-alarm.ts'
import { raiseAlarms } from '../../notices/raise-alarm.ts'
import type { Db } from '../../platform/database/database.ts'

export const lowStockAlarm = 'vouchers_low'

/** Raises an alarm for each type on sale of which fewer are left than its operator wants, and clears those with enough. */
export async function raiseLowStockAlarms(db: Db, log: Pick<Logger, 'error' | 'info'>): Promise<void> {
  const low = await db
    .selectFrom('voucher_types')
    .select(['name', 'available_count', 'low_stock_count'])
    .where('is_active', '=', true)
    .whereRef('available_count', '<', 'low_stock_count')
    .execute()
  const alarms = low.map(({ name, available_count: left, low_stock_count: wanted }) => ({
    name: lowStockAlarm,
    subject: name,
    message: `${left} voucher${left === 1 ? ' is' : 's are'} left of ${name}, fewer than ${wanted}. Import more with \`makola vouchers import\`.`,
  }))
  const fresh = await raiseAlarms(db, alarms)
  for (const { name, subject, message } of fresh) log.error({ alarm: name, subject }, message)
  const cleared = await clearAlarms(
    db,
    lowStockAlarm,
    alarms.map(({ subject }) => subject),
  )
  for (const subject of cleared) log.info({ alarm: lowStockAlarm, subject }, 'alarm cleared')
}
