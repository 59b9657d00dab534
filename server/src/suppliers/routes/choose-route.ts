import type { Route } from '../route-ports.ts'

export function isSendable(route: Route): boolean {
  return route.health.state === 'open' && route.isSupplierEnabled
}

/** Lowest priority number first; equal ones by name, so that every process chooses alike. */
export function compareRoutes(left: Route, right: Route): number {
  return left.priority - right.priority || (left.name < right.name ? -1 : 1)
}

/**
 * Sorts routes for a new order, the usable ones first. On any other route the order waits until it may be sent. Within each of
 * the two groups the best route is first.
 */
export function rankRoutes(routes: readonly Route[]): Route[] {
  const ordered = routes.toSorted(compareRoutes)
  return [...ordered.filter(isSendable), ...ordered.filter((route) => !isSendable(route))]
}
