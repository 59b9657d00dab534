const prefix = 'operator/'

/** Matches, in SQL's `like`, every route whose orders people fulfil. */
export const peoplesRoutePattern = `${prefix}%`

/**
 * The route of a product that people fulfil, such as `operator/afa`. These orders are never due, so no worker claims
 * them, and no alarm asks for a missing supplier.
 */
export function peoplesRoute(product: string): string {
  return `${prefix}${product}`
}

export function isPeoplesRoute(route: string): boolean {
  return route.startsWith(prefix)
}
