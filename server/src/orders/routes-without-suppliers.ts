const loopPrefix = 'loop/'

/** Matches, in SQL's `like`, every route whose orders are handled by the loop of their product. */
export const ownLoopRoutePattern = `${loopPrefix}%`

/**
 * The route of a product whose orders are not one purchase at a supplier, such as `loop/sms`. These orders are never due,
 * so the order loop does not claim them; the product's own loop ends them.
 */
export function ownLoopRoute(product: string): string {
  return `${loopPrefix}${product}`
}

export function isOwnLoopRoute(route: string): boolean {
  return route.startsWith(loopPrefix)
}

const peoplesPrefix = 'operator/'

/** Matches, in SQL's `like`, every route whose orders people fulfil. */
export const manualRoutePattern = `${peoplesPrefix}%`

/**
 * The route of a product that people fulfil, such as `operator/afa`. These orders are never due, so no worker claims
 * them, and no alarm asks for a missing supplier.
 */
export function manualRoute(product: string): string {
  return `${peoplesPrefix}${product}`
}

export function isManualRoute(route: string): boolean {
  return route.startsWith(peoplesPrefix)
}
