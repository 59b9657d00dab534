import type { Db } from '../../platform/database/database.ts'
import type { Order } from '../order.ts'
import { meaningOf } from '../outcomes.ts'

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

/** The only reasons for a refund that a reseller sees. They never hold a supplier's own words. */
export const refundReasons = {
  recipient: 'The number or account was not accepted.',
  request: 'The request was not accepted.',
  failed: 'The service could not be delivered.',
  notReceived: 'The order did not reach the network or biller.',
  cancelled: 'We cancelled the order.',
} as const

export type RefundReason = (typeof refundReasons)[keyof typeof refundReasons]

/** The reason in the history of an order that failed because our own mistake was not mended in time. */
export const ourMistake = 'our_mistake'

/**
 * The reason for a refund that the order's owner sees, out of a short fixed list for every product (contract, Airtime order
 * and Utility order, `reason`).
 *
 * @param failure the reason of the move to `failed` in the order's history: an attempt's outcome, `ourMistake`, or a person's text
 */
export function explainRefund(failure: string | null): RefundReason {
  if (failure === ourMistake) return refundReasons.failed
  return refundReasons[meaningOf(failure)?.refund ?? 'cancelled']
}
