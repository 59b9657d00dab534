import { sql } from 'kysely'
import type { Logger } from 'pino'
import { matchAlarms } from '../../notices/match-alarms.ts'
import type { Db } from '../../platform/database/database.ts'
import { defineNeed } from '../../platform/needs/need.ts'
import { listVoucherPace, type VoucherPace } from './list-voucher-pace.ts'

export const lowStockAlarm = 'vouchers_low'

/** Rounds down, so that an alarm never promises more time than there is. */
const oneDecimal = (days: number) => (Math.floor(days * 10) / 10).toFixed(1)

/** Reason why a stock is low: below the operator's minimum, or sold out in some days. */
const whyLow = ({ left, wanted, daysLeft }: Pick<VoucherPace, 'left' | 'wanted' | 'daysLeft'>) =>
  left < wanted || daysLeft === null
    ? `fewer than ${wanted}`
    : `sold out in ${daysLeft < 1 ? 'less than a day' : `${oneDecimal(daysLeft)} days`} at the pace of the last week`

const leftOf = (left: number, name: string) => `${left} voucher${left === 1 ? ' is' : 's are'} left of ${name}`

/** Raises an alarm for each type on sale with a low stock, and clears the alarms of the others. */
export async function raiseLowStockAlarms(db: Db, log: Pick<Logger, 'error' | 'info'>): Promise<void> {
  const low = (await listVoucherPace(db)).filter(({ isLow }) => isLow)
  const causes = low.map((type) => ({
    subject: type.name,
    message: `${leftOf(type.left, type.name)}, ${whyLow(type)}. Import more.`,
  }))
  await matchAlarms(db, log, lowStockAlarm, causes)
}

/**
 * Types on sale with a low stock: below the operator's minimum, or with an open alarm because they will soon be sold out.
 */
export const lowStockNeed = defineNeed<{ name: string; left: number; wanted: number; message: string | null }>({
  name: 'stock',
  waiting: () => sql`
    select type.id::text as id, null::timestamptz as at,
      jsonb_build_object('name', type.name, 'left', available_count, 'wanted', low_stock_count, 'message', alarms.message) as facts
    from voucher_types as type
    left join alarms on alarms.name = ${lowStockAlarm} and alarms.subject = type.name and alarms.cleared_at is null
    where is_active and (available_count < low_stock_count or alarms.message is not null)
    order by available_count, type.name`,
  line: ({ id, facts: { name, left, wanted, message } }) => ({
    text: left < wanted || message === null ? `${leftOf(left, name)}, fewer than ${wanted}.` : message,
    path: `/vouchers?type=${id}`,
  }),
})
