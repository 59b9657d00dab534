import { sql } from 'kysely'
import { formatGhs } from '../../money/pesewas.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Supplier } from '../ports.ts'
import { type RouteParts, routeName } from '../route-ports.ts'
import { readSupplierFloat } from './read-supplier-float.ts'
import type { RouteHealthDeps } from './report-platform-rejection.ts'
import { resumeRoutes } from './resume-route.ts'
import { endsWithProbe, isGoodRead } from './route-health.ts'

type DueRoute = RouteParts & {
  readonly reason: string
  /** Says which pause was claimed: a person may pause the route anew while its supplier is probed. */
  readonly pausedAt: string | null
}

export const isPausedRouteDue = sql`exists (select from routes where state = 'paused' and paused_until <= now())`

/** Time for which a process owns the routes that it probes. If it dies, another process takes them afterwards. */
const claimSeconds = 30

/** Claims the paused routes that are due, so that only one process at a time probes each. */
async function claimDueRoutes(deps: RouteHealthDeps): Promise<DueRoute[]> {
  const { rows } = await sql<DueRoute>`
    update routes set paused_until = clock_timestamp() + make_interval(secs => ${claimSeconds})
    from (
      select supplier, product, network from routes
      where state = 'paused' and paused_until <= clock_timestamp()
      order by supplier, product, network for update skip locked
    ) as due
    where (routes.supplier, routes.product, routes.network) = (due.supplier, due.product, due.network)
    returning routes.supplier, routes.product, routes.network, paused_reason as reason,
      paused_at::text as "pausedAt"`.execute(deps.db)
  return rows
}

/** Notes the result of a probe, and lets the claimed pause go on. A later pause keeps its own time. */
async function postpone(deps: RouteHealthDeps, route: DueRoute, seconds: number, said: string): Promise<void> {
  await sql`
    update routes set paused_until = clock_timestamp() + make_interval(secs => ${seconds}),
      probed_at = clock_timestamp(), probe_said = ${said}
    where supplier = ${route.supplier} and product = ${route.product} and network = ${route.network}
      and state = 'paused' and paused_at is not distinct from ${route.pausedAt}::timestamptz`.execute(deps.db)
}

/**
 * Probes a supplier.
 * @returns its answer, and whether orders can be sent again
 */
async function probe(deps: RouteHealthDeps, supplier: Supplier | undefined): Promise<{ isGood: boolean; said: string }> {
  if (supplier === undefined) return { isGood: false, said: 'The supplier cannot be used as it is configured.' }
  const float = await readSupplierFloat(deps.db, supplier)
  const isGood = isGoodRead(float, supplier.minimumFloatPesewas)
  if (float.meaning !== 'read') return { isGood, said: float.evidence }
  const least = formatGhs(supplier.minimumFloatPesewas)
  return { isGood, said: `The float is ${formatGhs(float.floatPesewas)}; the least is ${least}.` }
}

/**
 * Opens paused routes that are due: at once if a person paused them for a time, otherwise after a good balance read. A
 * failed read is repeated later. Each worker calls this about every second; they share the work.
 * @returns the names of the routes that were opened now
 */
export async function probePausedRoutes(deps: RouteHealthDeps): Promise<string[]> {
  const due = await claimDueRoutes(deps)
  const resumed: string[] = []
  for (const [name, routes] of Map.groupBy(due, (route) => route.supplier)) {
    const supplier = deps.registry.find(name)
    const isProbed = routes.some((route) => endsWithProbe(route.reason))
    const { isGood, said } = isProbed ? await probe(deps, supplier) : { isGood: false, said: '' }
    for (const route of routes) {
      if (!endsWithProbe(route.reason) || isGood) {
        resumed.push(...(await inTransaction(deps.db, (tx) => resumeRoutes(tx, route, route))))
      } else {
        await postpone(deps, route, supplier?.probeSeconds ?? claimSeconds, said)
        deps.log.info({ route: routeName(route), reason: route.reason }, 'route stays paused')
      }
    }
  }
  for (const route of resumed) deps.log.info({ route }, 'route resumed')
  return resumed
}
