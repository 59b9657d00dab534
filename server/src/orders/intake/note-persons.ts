import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { OrderItem } from '../order-kind.ts'

/** Notes which orders persons placed in the dashboard. A batch of programs' orders alone costs no statement. */
export async function notePersons(tx: Tx, items: readonly OrderItem[]): Promise<void> {
  const theirs = items.flatMap(({ orderId, personId }) => (personId === undefined ? [] : [{ orderId, personId }]))
  if (theirs.length === 0) return
  await sql`
    insert into orders_of_persons ${rowsOf(theirs, {
      order_id: ['uuid', ({ orderId }) => orderId],
      person_id: ['uuid', ({ personId }) => personId],
    }).forInsert()}`.execute(tx)
}
