import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Metrics } from '../../platform/metrics/open-metrics.ts'
import { orderById } from '../order.ts'
import { isStuck } from '../schedule/stuck-condition.ts'

type OrdersOnRoute = {
  /** Open orders that wait to be sent, without those that wait for the registration of a number. */
  readonly waiting: number
  /** Open orders with an attempt that has not ended. Their suppliers are asked about them. */
  readonly sent: number
}

/** Counts the open orders of each route by its name. A route without open orders is missing. */
export async function countOrdersOnRoutes(db: Db): Promise<ReadonlyMap<string, OrdersOnRoute>> {
  const { rows } = await sql<OrdersOnRoute & { route: string }>`
    select route,
      (count(*) filter (where attempt_no is null and hold_reason is distinct from 'not_registered'))::integer as waiting,
      (count(*) filter (where attempt_no is not null))::integer as sent
    from open_orders group by route`.execute(db)
  return new Map(rows.map(({ route, waiting, sent }) => [route, { waiting, sent }]))
}

/** Measures how many orders are open in each state, and for each route the age of the oldest and how many need a person. */
export function measureOpenOrders(metrics: Metrics, db: Db): () => Promise<void> {
  const open = metrics.gauge('makola_open_orders', 'Orders that have not ended, by state.', ['kind', 'status'])
  const age = metrics.gauge('makola_open_order_age_seconds', 'Age of the oldest order that has not ended.', ['route'])
  const stuck = metrics.gauge('makola_stuck_orders', 'Orders that need a person: `makola order list --stuck`.', ['route'])
  return async () => {
    const { rows } = await sql<{ kind: string; status: string; route: string; count: number; oldest: number; stuck: number }>`
      select orders.kind, orders.status, open_orders.route, count(*)::integer as count,
        extract(epoch from clock_timestamp() - min(orders.created_at))::float8 as oldest,
        (count(*) filter (where ${isStuck}))::integer as stuck
      from open_orders cross join ${orderById(sql`open_orders.order_id`)}
      group by orders.kind, orders.status, open_orders.route`.execute(db)
    for (const gauge of [open, age, stuck]) gauge.reset()
    const oldest = new Map<string, number>()
    for (const row of rows) {
      open.inc({ kind: row.kind, status: row.status }, row.count)
      stuck.inc({ route: row.route }, row.stuck)
      oldest.set(row.route, Math.max(oldest.get(row.route) ?? 0, row.oldest))
    }
    for (const [route, seconds] of oldest) age.set({ route }, seconds)
  }
}
