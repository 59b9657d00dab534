import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export type OrdersOnRoute = {
  /** Open orders that were not sent yet, without those that wait for a number's registration. */
  readonly waiting: number
  /** Open orders that were sent. Their suppliers are asked about them. */
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
