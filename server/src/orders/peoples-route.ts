const prefix = 'operator/'

/** Matches, in SQL's `like`, every route that people work off. */
export const peoplesRoutePattern = `${prefix}%`

/**
 * The route of a product that people fulfil, such as `operator/afa`. Its orders are never due by
 * themselves, so no worker claims them and no alarm misses a supplier.
 */
export function peoplesRoute(product: string): string {
  return `${prefix}${product}`
}

/** Whether an order on this route waits for a person. */
export function isPeoplesRoute(route: string): boolean {
  return route.startsWith(prefix)
}
