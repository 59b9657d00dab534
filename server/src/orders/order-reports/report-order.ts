import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { type Refusal, refuse } from '../../platform/http/refusals.ts'
import { makeOrderDue } from '../manual/ask-order-now.ts'
import type { Order } from '../order.ts'
import type { OrderStatus } from '../order-life-cycle.ts'
import { type ProductFacts, productOf } from '../product-facts.ts'
import { findOrderReport, type OrderReport } from './order-report.ts'

/** Left out: orders that failed, were refunded or cancelled, or wait for the registration of their number. */
const reportedStates: readonly OrderStatus[] = ['pending', 'processing', 'completed']

export const notReportable: Refusal = refuse(
  409,
  'order_not_reportable',
  'This order cannot be reported: it waits for the registration of its number, it failed or was cancelled, or its product takes no reports.',
)

export function isReportable(products: readonly ProductFacts[], order: Pick<Order, 'kind' | 'status'>): boolean {
  const { fulfilledBy } = productOf(products, order.kind)
  return (fulfilledBy === 'suppliers' || fulfilledBy === 'people') && reportedStates.includes(order.status)
}

/**
 * Stores a reseller's report that an order did not arrive, once: a repeat changes nothing and returns the first report. The
 * next step of an open order becomes due at once.
 *
 * @param report.reason the reseller's text; may be empty
 */
export function reportOrder(
  db: Db,
  order: Pick<Order, 'id' | 'accountId' | 'status'>,
  report: { readonly reason: string; readonly actor: string },
): Promise<OrderReport> {
  return inTransaction(db, async (tx) => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('order_reports')
      .values({
        order_id: order.id,
        account_id: order.accountId,
        reason: report.reason.trim(),
        status_then: order.status,
        reported_by: report.actor,
      })
      .onConflict((conflict) => conflict.column('order_id').doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 1n) await makeOrderDue(tx, order.id)
    const stored = await findOrderReport(tx, order.id)
    if (!stored) throw new Error(`the report of order ${order.id} was not stored`)
    return stored
  })
}
