import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import type { Routes } from '../../../suppliers/route-ports.ts'
import type { ClaimedMessage, ClaimPlan } from './claim-messages.ts'

/** The networks of numbers. Routes of `any` also serve the other networks, after their own routes. */
const networks = ['MTN', 'Telecel', 'AT', 'any'] as const
const catchAll = 'any'

/** A link that has not reported for this long counts as down. */
const linkTrustSeconds = 10

function suppliersOf(routes: Routes, network: string): string[] {
  const own = routes.listNext('sms', network, [])
  const others = network === catchAll ? [] : routes.listNext('sms', catchAll, [])
  return [...new Set([...own, ...others].map(({ supplier }) => supplier))]
}

/**
 * Plans the networks whose messages a supplier's link may claim, and for each of them the suppliers with a bound link that come
 * before it.
 */
export async function planClaims(db: Db, routes: Routes, supplier: string): Promise<ClaimPlan> {
  const { rows } = await sql<{ supplier: string }>`
    select supplier from sms_links
    where state = 'bound' and seen_at > clock_timestamp() - make_interval(secs => ${linkTrustSeconds})`.execute(db)
  const boundSuppliers = new Set(rows.map((row) => row.supplier))
  const plan: Record<string, string[]> = {}
  for (const network of networks) {
    const inOrder = suppliersOf(routes, network).filter((name) => name === supplier || boundSuppliers.has(name))
    const place = inOrder.indexOf(supplier)
    if (place >= 0) plan[network] = inOrder.slice(0, place)
  }
  return plan
}

/** True when another supplier, even one whose link is down, could take a message that this supplier refuses. */
export function hasOtherSupplier(
  routes: Routes,
  supplier: string,
  message: Pick<ClaimedMessage, 'network' | 'refusedBy'>,
): boolean {
  return routes
    .list()
    .some(
      (route) =>
        route.product === 'sms' &&
        (route.network === message.network || route.network === catchAll) &&
        route.isSupplierEnabled &&
        route.supplier !== supplier &&
        !message.refusedBy.includes(route.supplier),
    )
}
