import type { Db } from '../../platform/database/database.ts'
import { listOrdersById, type Order } from '../order.ts'

/** Finds an order by its account's own reference in one service's name space (decision R1: name spaces of references). */
export async function findAccountOrder(
  db: Db,
  wanted: { accountId: string; service: string; reference: string },
): Promise<Order | undefined> {
  const held = await db
    .selectFrom('account_references')
    .select('order_id')
    .where('account_id', '=', wanted.accountId)
    .where('service', '=', wanted.service)
    .where('reference', '=', wanted.reference)
    .executeTakeFirst()
  if (!held) return undefined
  return (await listOrdersById(db, [held.order_id])).get(held.order_id)
}
