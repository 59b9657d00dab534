import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import type { Route } from '../../suppliers/route-ports.ts'
import { isRefusalOfUs } from '../../suppliers/routes/route-health.ts'
import type { HoldReason } from '../next-step.ts'
import type { ClaimFilter } from '../schedule/claim-open-orders.ts'
import { pausedRetrySeconds } from './decide-claimed-step.ts'

/** One statement holds at most this many orders, so that it does not keep sales waiting. */
const heldPerStatementMax = 2_000

/** Milliseconds between two statements for a route. After one that held `heldPerStatementMax` orders there is no pause. */
const restMilliseconds = 1_000

const routePaused: HoldReason = 'route_paused'

/** True when orders on the route wait because of our own mistake: its supplier refuses our account. */
export function isClosedByOurMistake({ health }: Route): boolean {
  return health.state === 'paused' && isRefusalOfUs(health.reason)
}

type HoldDeps = { readonly db: Db; readonly log: Logger }

/**
 * Holds new orders of a closed route in one statement, the longest due first. It neither claims nor reads them, because there
 * is nothing to decide while no route of their network is open.
 * @returns how many were held, at most `heldPerStatementMax`
 */
async function holdDue({ db, log }: HoldDeps, route: Route): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update open_orders
    set hold_reason = ${routePaused}, next_step_at = clock_timestamp() + make_interval(secs => ${pausedRetrySeconds}),
      our_mistake_since = case when ${isClosedByOurMistake(route)}::boolean then coalesce(our_mistake_since, clock_timestamp())
        else our_mistake_since end
    where order_id = any(array(
      select order_id from open_orders
      where route = ${route.name} and not is_question and attempt_no is null and hold_reason is null
        and next_step_at <= now() and lease_until <= now()
      order by next_step_at
      limit ${heldPerStatementMax}
      for update skip locked))`.execute(db)
  const count = Number(numAffectedRows)
  if (count > 0) log.warn({ route: route.name, count, holdReason: routePaused }, 'orders have to wait until their route opens')
  return count
}

/** @returns which orders of the route may be claimed now */
export type HoldNewOrders = (route: Route) => Promise<ClaimFilter>

/** Holds the new orders of closed routes, at most once a second for each route, so that one statement takes many. */
export function holdNewOrders(deps: HoldDeps): HoldNewOrders {
  const pausedUntil = new Map<string, number>()
  return async (route) => {
    const now = performance.now()
    if (now < (pausedUntil.get(route.name) ?? 0)) return 'questions'
    const count = await holdDue(deps, route)
    // While new orders are left, a claim of the other orders would have to read past all of the new ones.
    if (count === heldPerStatementMax) return 'questions'
    pausedUntil.set(route.name, now + restMilliseconds)
    return 'seen'
  }
}
