/** Whether a route is open or paused. `until` null: until a person resumes it. */
export type RouteHealth =
  | { readonly state: 'open' }
  | { readonly state: 'paused'; readonly reason: string; readonly until: Date | null }

/** A route as it is in memory. `name` is `<supplier>/<product>/<network>`. */
export type Route = {
  readonly name: string
  readonly supplier: string
  readonly product: string
  readonly network: string
  readonly priority: number
  readonly isSupplierEnabled: boolean
  readonly health: RouteHealth
}

/** The routes, in memory, kept up to date in the background. */
export type Routes = {
  /**
   * The routes on which an order may start, the best first: see `rankRoutes`. The same array is given until the routes
   * are read again.
   */
  rank(product: string, network: string): readonly Route[]
  /** The best of the routes that `rank` gives. Undefined: no route leads there. */
  choose(product: string, network: string): string | undefined
  /**
   * The routes of a network on which orders may be sent now, the best first, without the routes named in `after`. Used
   * when it is proven that another supplier has nothing of the order.
   */
  listNext(product: string, network: string, after: readonly string[]): readonly Route[]
  find(name: string): Route | undefined
  list(): readonly Route[]
  refresh(): Promise<void>
  stop(): void
}
