import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import { followEpoch } from '../../platform/database/follow-epoch.ts'
import type { Route, Routes } from '../route-ports.ts'
import { readRoutes } from './read-routes.ts'

export type RouteDeps = { readonly db: Db; readonly epoch: Epoch; readonly log: Pick<Logger, 'error'> }

type Snapshot = {
  readonly byName: ReadonlyMap<string, Route>
  readonly byNetwork: ReadonlyMap<string, readonly Route[]>
  readonly ranked: ReadonlyMap<string, readonly Route[]>
}

function keyOf(product: string, network: string): string {
  return JSON.stringify([product, network])
}

function takeSnapshot(routes: readonly Route[]): Snapshot {
  const byNetwork = Map.groupBy(routes, (route) => keyOf(route.product, route.network))
  const ranked = new Map([...byNetwork].map(([key, group]) => [key, rankRoutes(group)]))
  return { byName: new Map(routes.map((route) => [route.name, route])), byNetwork, ranked }
}

const noRoutes: readonly Route[] = []

/**
 * Caches the routes, so that the API chooses a route without waiting. They are read again within about a second of a change. A
 * pause or resume raises the catalogue's version; an order whose route was chosen by an older version is decided again.
 */
export async function loadRoutes(deps: RouteDeps): Promise<Routes> {
  const followed = await followEpoch(
    deps.epoch,
    async () => takeSnapshot(await readRoutes(deps.db)),
    (error) => deps.log.error({ reason: String(error) }, 'the routes could not be read; the last known ones stay in use'),
  )
  const rank = (product: string, network: string) => followed.value().ranked.get(keyOf(product, network)) ?? noRoutes
  return {
    rank,
    choose: (product, network) => rank(product, network)[0]?.name,
    listNext: (product, network, after) => {
      const group = followed.value().byNetwork.get(keyOf(product, network)) ?? []
      return group.filter((route) => isSendable(route) && !after.includes(route.name)).toSorted(compareRoutes)
    },
    find: (name) => followed.value().byName.get(name),
    list: () => [...followed.value().byName.values()],
    refresh: () => followed.refresh(),
    stop: () => followed.stop(),
  }
}

export function isSendable(route: Route): boolean {
  return route.health.state === 'open' && route.isSupplierEnabled
}

/** Lowest priority number first; equal ones by name, so that every process chooses alike. */
function compareRoutes(left: Route, right: Route): number {
  return left.priority - right.priority || (left.name < right.name ? -1 : 1)
}

/**
 * Sorts routes for a new order, the usable ones first. On any other route the order waits until it may be sent. Within each of
 * the two groups the best route is first.
 */
export function rankRoutes(routes: readonly Route[]): Route[] {
  const ordered = routes.toSorted(compareRoutes)
  return [...ordered.filter(isSendable), ...ordered.filter((route) => !isSendable(route))]
}
