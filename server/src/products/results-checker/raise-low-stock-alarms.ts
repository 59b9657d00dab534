import type { Logger } from 'pino'
import { matchAlarms } from '../../notices/match-alarms.ts'
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
  const causes = low.map(({ name, available_count: left, low_stock_count: wanted }) => ({
    subject: name,
    message: `${left} voucher${left === 1 ? ' is' : 's are'} left of ${name}, fewer than ${wanted}. Import more.`,
  }))
  await matchAlarms(db, log, lowStockAlarm, causes)
}
