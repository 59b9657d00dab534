import type { Db } from '../platform/database/database.ts'
import { listOrdersById, type Order } from './order.ts'

/**
 * Finds an account's order of one kind by its reference in the shared name space (decisions R1, S13).
 * Another account's order is as absent as one that does not exist (A12).
 */
export async function findOrder(
  db: Db,
  wanted: { accountId: string; kind: string; reference: string },
): Promise<Order | undefined> {
  const held = await db
    .selectFrom('order_references')
    .select('order_id')
    .where('reference', '=', wanted.reference)
    .where('account_id', '=', wanted.accountId)
    .where('kind', '=', wanted.kind)
    .executeTakeFirst()
  if (!held) return undefined
  return (await listOrdersById(db, [held.order_id])).get(held.order_id)
}
