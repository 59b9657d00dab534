import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { listOrdersById, type Order } from '../order.ts'

/** A list endpoint returns at most this many records (contract, Limits). */
const listedMax = 30

/** Lists an account's newest orders of one kind, newest first by the database's clock. */
export async function listNewestOrders(db: Db, wanted: { accountId: string; kind: string }): Promise<Order[]> {
  // The kind is in the text of the statement and is no parameter: only then can PostgreSQL use the index of that kind.
  const { rows } = await sql<{ id: string }>`
    select id from orders
    where account_id = ${wanted.accountId} and kind = ${sql.lit(wanted.kind)}
    order by created_at desc, id desc
    limit ${listedMax}`.execute(db)
  const orders = await listOrdersById(
    db,
    rows.map((row) => row.id),
  )
  return rows.flatMap((row) => orders.get(row.id) ?? [])
}

export async function hasOrdered(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from orders where account_id = ${accountId}) as has`.execute(db)
  return rows[0]?.has ?? false
}
