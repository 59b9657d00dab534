import type { Db } from '../../platform/database/database.ts'
import type { Order } from '../order.ts'
import { explainRefund, type RefundReason } from './explain-refund.ts'

/** The reason that a refunded order's owner sees; undefined for every other order. */
export async function findRefundReason(db: Db, order: Order): Promise<RefundReason | undefined> {
  if (order.status !== 'refunded') return undefined
  const failure = await db
    .selectFrom('order_events')
    .select('reason')
    .where('order_id', '=', order.id)
    .where('to_status', '=', 'failed')
    .orderBy('event_no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return explainRefund(failure?.reason ?? null)
}
