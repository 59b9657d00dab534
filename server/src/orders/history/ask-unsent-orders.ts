import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { parseRouteName } from '../../suppliers/route-ports.ts'
import { beginQuestions, type Unsent } from '../dispatch/begin-questions.ts'
import { isManualRoute, isOwnLoopRoute } from '../routes-without-suppliers.ts'

type UnsentRow = Omit<Unsent, 'supplier'> & { route: string }

async function lockUnsent(tx: Tx): Promise<Unsent[]> {
  await sql`select from open_orders where attempt_no is null order by order_id for update`.execute(tx)
  const { rows } = await sql<UnsentRow>`
    select open_orders.order_id as "orderId", lease_no as "leaseNo", route, status,
      (select count(*)::integer from attempts where attempts.order_id = orders.id and supplier = split_part(route, '/', 1))
        as "supplierAttempts",
      (select coalesce(max(attempt_no), 0) from attempts where attempts.order_id = orders.id) as "lastAttemptNo"
    from open_orders join orders on orders.id = open_orders.order_id
    where attempt_no is null and status in ('queued', 'pending', 'processing')
    order by open_orders.order_id`.execute(tx)
  return rows.flatMap((row) => {
    const supplier = parseRouteName(row.route)?.supplier
    return supplier === undefined || isOwnLoopRoute(row.route) || isManualRoute(row.route) ? [] : [{ ...row, supplier }]
  })
}

/**
 * Begins a question to its supplier about every order that waits to be sent to a supplier: a send that the database has lost
 * may have delivered it. The other suppliers of its product and network are asked when it is claimed next.
 * @returns the number of orders
 */
export async function askUnsentOrders(tx: Tx, actor: string): Promise<number> {
  return beginQuestions(tx, await lockUnsent(tx), actor)
}
