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
  /** The routes an order may start on, in the order of preference: see `rankRoutes`. The same list until a route changes. */
  rank(product: string, network: string): readonly Route[]
  /** The first of them. Undefined when nobody offers the network. */
  choose(product: string, network: string): string | undefined
  /** The routes of a network that may be sent on now, without those named in `after`; best first. For failover on proof. */
  listNext(product: string, network: string, after: readonly string[]): readonly Route[]
  find(name: string): Route | undefined
  list(): readonly Route[]
  refresh(): Promise<void>
  stop(): void
}
