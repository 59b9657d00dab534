import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/database/first-id-at.ts'

export type VoucherPace = {
  readonly name: string
  readonly isActive: boolean
  readonly left: number
  readonly soldInSevenDays: number
  /** Days that the stock lasts at the pace of the last 7 days. Null when none was sold in them. */
  readonly daysLeft: number | null
  /** The minimum that the operator set. */
  readonly wanted: number
  /** True when the type is on sale, and has fewer vouchers than the operator's minimum or than are sold in three days. */
  readonly isLow: boolean
}

/** A stock that lasts fewer days is low whatever its size, because buying more takes time. */
const lowDays = 3

const pacedDays = 7
const dayMilliseconds = 24 * 3_600 * 1_000

/**
 * An order's id contains the time of the server process, `sold_at` that of the database. We assume that their clocks differ by
 * at most this much.
 */
const clockToleranceMilliseconds = 3_600_000

/** Lists every type by name, with its stock and how long it lasts at the pace of the last 7 days. */
export async function listVoucherPace(db: Db, now = new Date()): Promise<VoucherPace[]> {
  const since = now.getTime() - pacedDays * dayMilliseconds
  const { rows } = await sql<{ name: string; is_active: boolean; left: number; wanted: number; sold: number }>`
    select name, is_active, available_count as left, low_stock_count as wanted, coalesce(sold.count, 0) as sold
    from voucher_types left join (
      select type_id, count(*) as count from vouchers
      where order_id >= ${firstIdAt(since - clockToleranceMilliseconds)}::uuid and sold_at >= ${new Date(since)}
      group by type_id
    ) as sold on sold.type_id = voucher_types.id
    order by name`.execute(db)
  return rows.map(({ name, is_active: isActive, left, wanted, sold }) => {
    const daysLeft = sold === 0 ? null : (left * pacedDays) / sold
    const isLow = isActive && (left < wanted || (daysLeft !== null && daysLeft < lowDays))
    return { name, isActive, left, wanted, soldInSevenDays: sold, daysLeft, isLow }
  })
}
