import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { outgoingReference } from '../outgoing-reference.ts'

/** More attempts at one supplier than any order has. */
const attemptsMax = 30
/** More orders than can share a millisecond. */
const ordersMax = 500
/** Attempts of old months are put away while their orders stay, so only young orders count. */
const youngDays = 7

/**
 * True when the reference is one that we made for an order of ours, although no attempt has it: an attempt is committed before it is
 * sent, so the database has lost it. A stranger cannot make such a reference without the order's id, and nonsense names no order.
 */
export async function isOfLostAttempt(db: Db, supplier: string, reference: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where id between order_bound_of(${reference}, '0') and order_bound_of(${reference}, 'f')
      and created_at > now() - make_interval(days => ${youngDays})
    limit ${ordersMax}`.execute(db)
  return rows.some(({ id }) =>
    Array.from({ length: attemptsMax }, (_, no) => outgoingReference(id, supplier, no + 1)).includes(reference),
  )
}
