export type RouteParts = { readonly supplier: string; readonly product: string; readonly network: string }

/** The text of a route as `open_orders.route` holds it, such as `datamart/data/MTN`. */
export function routeName(parts: RouteParts): string {
  return `${parts.supplier}/${parts.product}/${parts.network}`
}

/**
 * Parses a route's name.
 * @returns undefined unless it has three parts that are not empty
 */
export function parseRouteName(name: string): RouteParts | undefined {
  const [supplier, product, network, ...rest] = name.split('/')
  if (!supplier || !product || !network || rest.length > 0) return undefined
  return { supplier, product, network }
}
