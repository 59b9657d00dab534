import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type Amount, amountIn } from '../money/amount.ts'
import type { Pesewas } from '../money/pesewas.ts'
import type { Db, Tables } from '../platform/database/database.ts'
import { amongIds } from '../platform/partitions/partitions.ts'
import type { OrderStatus } from './order-life-cycle.ts'
import { type ProductFacts, productOf } from './product-facts.ts'

export type Order = {
  readonly id: string
  readonly accountId: string
  readonly kind: string
  readonly reference: string
  readonly status: OrderStatus
  /** The price in the unit of the product: see `amountOf` and `pesewasOf`. */
  readonly price: number
  /** Such as a phone number, a meter or a smartcard. */
  readonly recipient: string
  readonly source: string
  /** The details that the product stored when the order was placed. */
  readonly details: Readonly<Record<string, unknown>>
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type OrderRow = Selectable<Tables['orders']>

/** The part of a product that its orders need: their kind and the unit of their price. */
export type SoldBy = Pick<ProductFacts, 'name' | 'unit'>

export function amountOf(
  products: readonly SoldBy[],
  { kind, price }: { readonly kind: string; readonly price: number },
): Amount {
  return amountIn(productOf(products, kind).unit, price)
}

/** The price of an order that was paid in money. @throws Error when it was paid in credits, or sold by another product */
export function pesewasOf(soldBy: SoldBy, order: Pick<Order, 'kind' | 'price' | 'reference'>): Pesewas {
  const price = amountOf([soldBy], order)
  if (price.unit !== 'pesewas') throw new Error(`order ${order.reference} was paid in ${price.unit}, not in money`)
  return price.amount
}

export function orderOf(row: OrderRow): Order {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    reference: row.reference,
    status: row.status,
    price: row.price,
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
  const { rows } = await sql<OrderRow>`select * from orders where ${amongIds('id', orderIds)}`.execute(db)
  return new Map(rows.map((row) => [row.id, orderOf(row)]))
}

/**
 * Joins the order with this id to a `from`, as `orders`. Each order is looked up by its id, in the partition of its month. In a
 * plain join, PostgreSQL reads the orders of all years as soon as it expects some thousand ids, also when it cannot know their
 * number.
 *
 * @param id an expression with columns of earlier items of the `from`
 * @param within a condition on the column `id` that leaves out months; PostgreSQL plans the look-up for all others
 */
export const orderById = (id: RawBuilder<unknown>, within: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> =>
  sql`lateral (select * from orders where orders.id = ${id} and ${within} offset 0) as orders`
