import type { Route } from './ports.ts'

/** Whether orders may be sent on a route now. */
export function isSendable(route: Route): boolean {
  return route.health.state === 'open' && route.isSupplierEnabled
}

/** The lowest priority number first; equal ones in the order of their names, so that every process chooses alike. */
export function compareRoutes(left: Route, right: Route): number {
  return left.priority - right.priority || (left.name < right.name ? -1 : 1)
}

/**
 * The route a new order starts on: the best one that may be used now, else the best one of all, where
 * the order waits until it may. Undefined when nobody offers the network.
 */
export function chooseRoute(routes: readonly Route[]): Route | undefined {
  const ordered = routes.toSorted(compareRoutes)
  return ordered.find(isSendable) ?? ordered[0]
}
