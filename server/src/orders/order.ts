import { sql } from 'kysely'
import { type Pesewas, pesewas } from '../money/pesewas.ts'
import type { Db } from '../platform/database/database.ts'
import type { OrderStatus } from './order-life-cycle.ts'

/** An order as it stands in the database. */
export type Order = {
  readonly id: string
  readonly accountId: string
  readonly kind: string
  readonly reference: string
  readonly status: OrderStatus
  readonly pricePesewas: Pesewas
  /** Who receives it: a phone number, a meter, a smartcard. */
  readonly recipient: string
  readonly source: string
  /** What the order's kind froze when it was placed. */
  readonly details: Readonly<Record<string, unknown>>
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A row of the table `orders`. */
export type OrderRow = {
  id: string
  account_id: string
  kind: string
  reference: string
  status: OrderStatus
  price: number
  recipient: string
  source: string
  details: Record<string, unknown>
  created_at: Date
  updated_at: Date
}

/** The order that a row describes. */
export function orderOf(row: OrderRow): Order {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    reference: row.reference,
    status: row.status,
    pricePesewas: pesewas(row.price),
    recipient: row.recipient,
    source: row.source,
    details: row.details,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Reads orders by id; ids without an order are left out. */
export async function listOrdersById(db: Db, orderIds: readonly string[]): Promise<Map<string, Order>> {
  if (orderIds.length === 0) return new Map()
  const { rows } = await sql<OrderRow>`select * from orders where id = any(${orderIds}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, orderOf(row)]))
}
