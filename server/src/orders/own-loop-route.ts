const prefix = 'loop/'

/** Matches, in SQL's `like`, every route whose orders a loop of their product works off. */
export const ownLoopRoutePattern = `${prefix}%`

/**
 * The route of a product whose orders are no single purchase at a supplier, such as `loop/sms`. The orders' own loop
 * never claims them: they are never due by themselves, and the product's loop ends them.
 */
export function ownLoopRoute(product: string): string {
  return `${prefix}${product}`
}

/** Whether an order on this route is worked off by its product's own loop. */
export function isOwnLoopRoute(route: string): boolean {
  return route.startsWith(prefix)
}
