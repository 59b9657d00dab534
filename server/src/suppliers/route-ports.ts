/** State of a route. `until` null: until a person resumes it. */
export type RouteHealth =
  | { readonly state: 'open' }
  | { readonly state: 'paused'; readonly reason: string; readonly until: Date | null }

/** A route as a process has cached it. `name` is `<supplier>/<product>/<network>`. */
export type Route = {
  readonly name: string
  readonly supplier: string
  readonly product: string
  readonly network: string
  readonly priority: number
  readonly isSupplierEnabled: boolean
  readonly health: RouteHealth
}

/** The routes that a process has cached; follows the database in the background. */
export type Routes = {
  /** Routes on which an order may start, best first: see `rankRoutes`. Returns the same array until the routes are read again. */
  rank(product: string, network: string): readonly Route[]
  /** The best route of `rank`. Undefined: there is none. */
  choose(product: string, network: string): string | undefined
  /** Routes of a network on which orders may be sent now, best first, without those named in `after`. */
  listNext(product: string, network: string, after: readonly string[]): readonly Route[]
  find(name: string): Route | undefined
  list(): readonly Route[]
  refresh(): Promise<void>
  stop(): void
}

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
