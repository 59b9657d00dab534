const prefix = 'operator/'

/** Matches, in SQL's `like`, every route that people work off. */
export const peoplesRoutePattern = `${prefix}%`

/**
 * The route of a product that people fulfil, such as `operator/afa`. These orders are never due, so no worker claims
 * them, and no alarm asks for a missing supplier.
 */
export function peoplesRoute(product: string): string {
  return `${prefix}${product}`
}

/** Whether an order on this route waits for a person. */
export function isPeoplesRoute(route: string): boolean {
  return route.startsWith(prefix)
}
