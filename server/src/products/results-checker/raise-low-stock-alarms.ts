import { sql } from 'kysely'
import type { Logger } from 'pino'
import { matchAlarms } from '../../notices/match-alarms.ts'
import type { Db } from '../../platform/database/database.ts'
import { defineNeed } from '../../platform/needs/need.ts'

export const lowStockAlarm = 'vouchers_low'

/** Raises an alarm for each type on sale of which fewer are left than the operator wants, and clears the alarms of the others. */
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

/** Types on sale of which fewer vouchers are left than the operator wants. */
export const lowStockNeed = defineNeed<{ name: string; left: number; wanted: number }>({
  name: 'stock',
  waiting: () => sql`
    select id::text as id, null::timestamptz as at,
      jsonb_build_object('name', name, 'left', available_count, 'wanted', low_stock_count) as facts
    from voucher_types where is_active and available_count < low_stock_count order by available_count, name`,
  line: ({ id, facts: { name, left, wanted } }) => ({
    text: `${left} ${left === 1 ? 'voucher is' : 'vouchers are'} left of ${name}, fewer than ${wanted}.`,
    path: `/vouchers?type=${id}`,
  }),
})
