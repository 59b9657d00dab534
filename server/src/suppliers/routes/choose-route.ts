import type { Route } from '../route-ports.ts'

/** Whether orders may be sent on a route now. */
export function isSendable(route: Route): boolean {
  return route.health.state === 'open' && route.isSupplierEnabled
}

/** The lowest priority number first; equal ones in the order of their names, so that every process chooses alike. */
export function compareRoutes(left: Route, right: Route): number {
  return left.priority - right.priority || (left.name < right.name ? -1 : 1)
}

/**
 * The routes in the order in which a new order should start on one: those that may be used now, best first, and
 * behind them the others, best first, where an order waits until it may go out.
 */
export function rankRoutes(routes: readonly Route[]): Route[] {
  const ordered = routes.toSorted(compareRoutes)
  return [...ordered.filter(isSendable), ...ordered.filter((route) => !isSendable(route))]
}
