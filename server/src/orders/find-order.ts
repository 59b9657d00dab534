import { sql } from 'kysely'
import { combineReads } from '../platform/database/combine-reads.ts'
import type { Db } from '../platform/database/database.ts'
import { type Order, type OrderRow, orderOf } from './order.ts'

/** The order that is looked for: the caller's own, of one kind, by its reference in the shared name space. */
export type WantedOrder = { readonly accountId: string; readonly kind: string; readonly reference: string }

/**
 * Finds an account's order of one kind by its reference (decisions R1, S13). Another account's order is
 * as absent as one that does not exist (A12).
 */
export type FindOrder = (wanted: WantedOrder) => Promise<Order | undefined>

/** Opens the look-up by reference. Clients poll it, so look-ups that come together share one statement. */
export function openFindOrder(db: Db): FindOrder {
  const readByReference = combineReads(async (references: readonly string[]) => {
    const { rows } = await sql<OrderRow>`
      select orders.*
      from order_references join orders on orders.id = order_references.order_id
      where order_references.reference = any(${[...new Set(references)]}::text[])`.execute(db)
    const found = new Map(rows.map((row) => [row.reference, orderOf(row)]))
    return (reference) => found.get(reference)
  })
  return async ({ accountId, kind, reference }) => {
    const order = await readByReference(reference)
    return order?.accountId === accountId && order.kind === kind ? order : undefined
  }
}
