import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { listOrdersById } from '../../order.ts'
import type { Books, ReferenceBook } from '../books.ts'
import { sharedKeyOf } from '../repeat-key.ts'

/** Taken references with their orders. A committed reference is never free again. */
export type Holders = Pick<Books, 'references' | 'orders'>

/** Reads the holders of these shared references. @returns them with the known ones */
export async function readHolders(db: Db, taken: readonly { readonly reference: string }[], known: Holders): Promise<Holders> {
  const { rows } = await sql<ReferenceBook & { reference: string }>`
    select reference, order_id as "orderId", account_id as "accountId", kind, encode(fingerprint, 'hex') as fingerprint
    from order_references
    where reference = any(${taken.map(({ reference }) => reference)}::text[])`.execute(db)
  const orders = await listOrdersById(
    db,
    rows.map(({ orderId }) => orderId),
  )
  return {
    references: new Map([...known.references, ...rows.map((row) => [sharedKeyOf(row.reference), row] as const)]),
    orders: new Map([...known.orders, ...orders]),
  }
}
