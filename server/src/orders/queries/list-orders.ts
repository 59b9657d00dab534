import { sql } from 'kysely'
import type { Amount } from '../../money/amount.ts'
import type { Db } from '../../platform/database/database.ts'
import { amountOf, type SoldBy } from '../order.ts'
import type { OrderStatus } from '../order-life-cycle.ts'
import { isStuck } from '../schedule/stuck-condition.ts'

export type OrderQuery = {
  /** Only orders that need a person. */
  readonly isStuckOnly: boolean
  readonly status?: OrderStatus
  readonly limit: number
}

/** One line of the operator's list. */
export type ListedOrder = {
  readonly id: string
  readonly reference: string
  readonly accountId: string
  readonly kind: string
  readonly status: OrderStatus
  readonly price: Amount
  readonly recipient: string
  readonly createdAt: Date
  readonly route: string | null
  /** Null when the order has ended or waits for a person. */
  readonly nextStepAt: Date | null
  readonly holdReason: string | null
}

type Row = {
  id: string
  reference: string
  account_id: string
  kind: string
  status: OrderStatus
  price: number
  recipient: string
  created_at: Date
  route: string | null
  next_step_at: Date | null
  hold_reason: string | null
}

/** Lists orders for the operator: newest first, stuck ones oldest first. */
export async function listOrders(db: Db, products: readonly SoldBy[], query: OrderQuery): Promise<ListedOrder[]> {
  const conditions = [
    ...(query.isStuckOnly ? [isStuck] : []),
    ...(query.status === undefined ? [] : [sql<boolean>`orders.status = ${query.status}`]),
  ]
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  const { rows } = await sql<Row>`
    select orders.id, orders.reference, orders.account_id, orders.kind, orders.status, orders.price, orders.recipient,
      orders.created_at, open_orders.route,
      nullif(open_orders.next_step_at, 'infinity') as next_step_at, open_orders.hold_reason
    from orders ${query.isStuckOnly ? sql`join` : sql`left join`} open_orders on open_orders.order_id = orders.id
    ${where}
    order by orders.id ${query.isStuckOnly ? sql`asc` : sql`desc`}
    limit ${query.limit}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    reference: row.reference,
    accountId: row.account_id,
    kind: row.kind,
    status: row.status,
    price: amountOf(products, row),
    recipient: row.recipient,
    createdAt: row.created_at,
    route: row.route,
    nextStepAt: row.next_step_at,
    holdReason: row.hold_reason,
  }))
}
