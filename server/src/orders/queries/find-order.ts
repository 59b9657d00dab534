import { sql } from 'kysely'
import { anyOf } from '../../platform/database/any-of.ts'
import { combineReads } from '../../platform/database/combine-reads.ts'
import type { Db } from '../../platform/database/database.ts'
import { readId } from '../../platform/database/read-id.ts'
import { amongIds } from '../../platform/partitions/partitions.ts'
import { type Order, type OrderRow, orderOf } from '../order.ts'

export type WantedOrder = { readonly accountId: string; readonly kind: string; readonly reference: string }

/**
 * Finds an account's order of one kind by its reference in the shared name space, or by its id when no order of that kind and
 * account has this reference (decisions R1: name spaces of references; R12: look-ups by reference or id; S13: a product finds
 * only its own orders). An order of another account is not found, as if it did not exist (decision A12).
 */
export type FindOrder = (wanted: WantedOrder) => Promise<Order | undefined>

/**
 * With `limit 1`, PostgreSQL looks up each order only in the partition of its month. A join might read the partitions of all
 * months.
 */
async function readByReference(db: Db, references: readonly string[]): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select named.*
    from order_references cross join lateral (select * from orders where orders.id = order_references.order_id limit 1) as named
    where order_references.reference = ${anyOf('text', references)}`.execute(db)
  return rows
}

/** Few looked-up names have the form of an id. Without one, this costs no statement. */
async function readById(db: Db, ids: readonly string[]): Promise<OrderRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<OrderRow>`select * from orders where ${amongIds('id', ids)}`.execute(db)
  return rows
}

/** Makes the look-up of orders by reference. Clients ask often, so look-ups that come at the same time share a statement. */
export function openFindOrder(db: Db): FindOrder {
  const readNamed = combineReads(async (names: readonly string[]) => {
    const [named, identified] = await Promise.all([
      readByReference(db, [...new Set(names)]),
      readById(
        db,
        names.flatMap((name) => readId(name) ?? []),
      ),
    ])
    const orderOfReference = new Map(named.map((row) => [row.reference, orderOf(row)]))
    const orderOfId = new Map(identified.map((row) => [row.id, orderOf(row)]))
    return (name) => [orderOfReference.get(name), orderOfId.get(readId(name) ?? '')]
  })
  return async ({ accountId, kind, reference }) => {
    const named = await readNamed(reference)
    return named.find((order) => order?.accountId === accountId && order.kind === kind)
  }
}

/** The account holder's name that the order's suppliers reported last. Undefined when none reported one. */
export async function findAccountName(db: Db, orderId: string): Promise<string | undefined> {
  const { rows } = await sql<{ account_name: string }>`
    select account_name
    from attempt_answers
    where order_id = ${orderId} and account_name is not null
    order by answer_no desc limit 1`.execute(db)
  return rows[0]?.account_name
}
