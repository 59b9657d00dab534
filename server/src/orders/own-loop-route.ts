const prefix = 'loop/'

/** Matches, in SQL's `like`, every route whose orders go to their product's own loop. */
export const ownLoopRoutePattern = `${prefix}%`

/**
 * The route of a product whose orders are not one purchase at a supplier, such as `loop/sms`. These orders are never due,
 * so the order loop does not claim them; the product's own loop ends them.
 */
export function ownLoopRoute(product: string): string {
  return `${prefix}${product}`
}

export function isOwnLoopRoute(route: string): boolean {
  return route.startsWith(prefix)
}
