import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { manualRoutePattern, ownLoopRoutePattern } from '../routes-without-suppliers.ts'

/** Makes an open order's next step due now. @returns false when the order loop has nothing to do for the order */
export async function makeOrderDue(tx: Tx, orderId: string): Promise<boolean> {
  const { rows } = await sql`
    update open_orders set next_step_at = clock_timestamp()
    where order_id = ${orderId} and route not like ${manualRoutePattern}
      and route not like ${ownLoopRoutePattern} returning order_id`.execute(tx)
  return rows.length > 0
}

/**
 * Makes an open order's next step due now, and writes this to the operator's log.
 * @returns false when the order has ended, waits for a person, or belongs to its product's own loop
 */
export function askOrderNow(db: Db, order: { id: string; reference: string }, actor: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const open = await tx.selectFrom('open_orders').select('next_step_at').where('order_id', '=', order.id).executeTakeFirst()
    if (!(await makeOrderDue(tx, order.id))) return false
    const details = { before: open?.next_step_at, after: 'now' }
    await appendOperatorLog(tx, { actor, action: 'order ask', subject: order.reference, details })
    return true
  })
}
