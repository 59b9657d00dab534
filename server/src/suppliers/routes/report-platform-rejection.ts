import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { PlatformCause, SupplierRegistry } from '../ports.ts'
import { parseRouteName, type RouteParts } from '../route-ports.ts'
import { pauseRoutes } from './pause-route.ts'
import { readSupplierFloat } from './read-supplier-float.ts'
import { agreementSeconds, decidePause } from './route-health.ts'

export type RouteHealthDeps = {
  readonly db: Db
  readonly registry: Pick<SupplierRegistry, 'find'>
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn'>
}

/** A supplier refused us, not the order (`rejected_platform`), or probably did (`unknown` with `suspects`). */
export type PlatformRejection = {
  readonly route: string
  readonly orderId: string
  readonly cause: PlatformCause
}

type RefusalCount = { readonly agreeingOrders: number; readonly isNews: boolean }

/** Refusals that are older are deleted when the next one of their route is recorded: only opening a route deletes all of them. */
const keptDays = 1

/**
 * Records the refusal and counts the distinct orders that were refused within the last minute. Records nothing for a paused
 * route. `isNews` is false when a refusal of the same order in the same way is kept.
 */
async function recordRefusal(db: Db, parts: RouteParts, rejection: PlatformRejection): Promise<RefusalCount> {
  const before = sql`
    select from route_refusals as said
    where said.supplier = ${parts.supplier} and said.product = ${parts.product} and said.network = ${parts.network}
      and said.order_id = ${rejection.orderId}::uuid and said.cause = ${rejection.cause}`
  const noted = await sql<{ is_news: boolean }>`
    insert into route_refusals (supplier, product, network, order_id, cause)
    select supplier, product, network, ${rejection.orderId}::uuid, ${rejection.cause}
    from routes
    where supplier = ${parts.supplier} and product = ${parts.product} and network = ${parts.network} and state = 'open'
    on conflict (supplier, product, network, order_id)
      do update set cause = excluded.cause, refused_at = clock_timestamp()
    returning not exists (${before}) as is_news`.execute(db)
  await sql`
    delete from route_refusals
    where supplier = ${parts.supplier} and product = ${parts.product} and network = ${parts.network}
      and refused_at < clock_timestamp() - make_interval(days => ${keptDays})`.execute(db)
  const { rows } = await sql<{ agreeing: number }>`
    select count(*)::integer as agreeing
    from route_refusals join routes using (supplier, product, network)
    where supplier = ${parts.supplier} and product = ${parts.product} and network = ${parts.network}
      and state = 'open' and refused_at > clock_timestamp() - make_interval(secs => ${agreementSeconds})`.execute(db)
  return { agreeingOrders: rows[0]?.agreeing ?? 0, isNews: noted.rows[0]?.is_news === true }
}

/**
 * Call this, without an open transaction, after an order was answered `rejected_platform`, or `unknown` with `suspects`. It
 * reads the balance. If that confirms the refusal, it pauses all routes of the supplier; if three distinct orders within a
 * minute were refused, it pauses this route. It decides nothing about the order.
 * @returns the names of the routes that were paused now
 */
export async function reportPlatformRejection(deps: RouteHealthDeps, rejection: PlatformRejection): Promise<string[]> {
  const parts = parseRouteName(rejection.route)
  const supplier = parts && deps.registry.find(parts.supplier)
  if (!parts || !supplier) return []
  const { agreeingOrders, isNews } = await recordRefusal(deps.db, parts, rejection)
  if (agreeingOrders === 0) return []
  const float = await readSupplierFloat(deps.db, supplier)
  const { minimumFloatPesewas, probeSeconds } = supplier
  const decision = decidePause({ cause: rejection.cause, float, minimumFloatPesewas, agreeingOrders })
  const fields = { route: rejection.route, cause: rejection.cause, agreeingOrders, float, decision }
  deps.log[isNews || decision.pause !== 'none' ? 'info' : 'debug'](fields, 'a supplier refused us')
  if (decision.pause === 'none') return []
  const selection = decision.pause === 'supplier' ? { supplier: parts.supplier } : parts
  const { reason } = decision
  const paused = await inTransaction(deps.db, (tx) => pauseRoutes(tx, selection, { reason, seconds: probeSeconds }))
  for (const route of paused) deps.log.warn({ route, reason, probeSeconds }, 'route paused')
  return paused
}
