import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { pauseRoutes } from './pause-route.ts'
import type { PlatformCause, SupplierRegistry } from './ports.ts'
import { readSupplierFloat } from './read-supplier-float.ts'
import { agreementSeconds, decidePause } from './route-health.ts'
import { parseRouteName, type RouteParts } from './route-name.ts'

export type RouteHealthDeps = {
  readonly db: Db
  readonly registry: Pick<SupplierRegistry, 'find'>
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** A supplier refused us, not the order: `rejected_platform`. */
export type PlatformRejection = {
  /** The route the order was sent on. */
  readonly route: string
  readonly orderId: string
  readonly cause: PlatformCause
}

/** Notes the refusal and counts the orders that agree. Nothing is noted for a route that is paused already. */
async function countAgreeing(db: Db, parts: RouteParts, rejection: PlatformRejection): Promise<number> {
  await sql`
    insert into route_refusals (supplier, product, network, order_id, cause)
    select supplier, product, network, ${rejection.orderId}::uuid, ${rejection.cause}
    from routes
    where supplier = ${parts.supplier} and product = ${parts.product} and network = ${parts.network} and state = 'open'
    on conflict (supplier, product, network, order_id)
      do update set cause = excluded.cause, refused_at = clock_timestamp()`.execute(db)
  const { rows } = await sql<{ agreeing: number }>`
    select count(*)::integer as agreeing
    from route_refusals join routes using (supplier, product, network)
    where supplier = ${parts.supplier} and product = ${parts.product} and network = ${parts.network}
      and state = 'open' and refused_at > clock_timestamp() - make_interval(secs => ${agreementSeconds})`.execute(db)
  return rows[0]?.agreeing ?? 0
}

/**
 * To be called, with no transaction open, after an order was answered `rejected_platform`. Reads the balance and
 * pauses the supplier's routes when it confirms the refusal, or this route when three distinct orders within a
 * minute agree. The order itself is the caller's: it is held either way.
 *
 * @returns the names of the routes that were paused now
 */
export async function reportPlatformRejection(deps: RouteHealthDeps, rejection: PlatformRejection): Promise<string[]> {
  const parts = parseRouteName(rejection.route)
  const supplier = parts && deps.registry.find(parts.supplier)
  if (!parts || !supplier) return []
  const agreeingOrders = await countAgreeing(deps.db, parts, rejection)
  if (agreeingOrders === 0) return []
  const float = await readSupplierFloat(deps.db, supplier)
  const { minimumFloatPesewas, probeSeconds } = supplier
  const decision = decidePause({ cause: rejection.cause, float, minimumFloatPesewas, agreeingOrders })
  deps.log.info({ route: rejection.route, cause: rejection.cause, agreeingOrders, float, decision }, 'a supplier refused us')
  if (decision.pause === 'none') return []
  const selection = decision.pause === 'supplier' ? { supplier: parts.supplier } : parts
  const { reason } = decision
  const paused = await inTransaction(deps.db, (tx) => pauseRoutes(tx, selection, { reason, seconds: probeSeconds }))
  for (const route of paused) deps.log.warn({ route, reason, probeSeconds }, 'route paused')
  return paused
}
