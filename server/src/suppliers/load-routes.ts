import type { Logger } from 'pino'
import type { Db } from '../platform/database/database.ts'
import type { Epoch } from '../platform/database/epoch.ts'
import { chooseRoute, compareRoutes, isSendable } from './choose-route.ts'
import { followEpoch } from './follow-epoch.ts'
import type { Route, Routes } from './ports.ts'
import { readRoutes } from './read-routes.ts'

export type RouteDeps = { readonly db: Db; readonly epoch: Epoch; readonly log: Pick<Logger, 'error'> }

type Snapshot = {
  readonly byName: ReadonlyMap<string, Route>
  readonly byNetwork: ReadonlyMap<string, readonly Route[]>
  readonly chosen: ReadonlyMap<string, string>
}

function keyOf(product: string, network: string): string {
  return JSON.stringify([product, network])
}

function takeSnapshot(routes: readonly Route[]): Snapshot {
  const byNetwork = Map.groupBy(routes, (route) => keyOf(route.product, route.network))
  const chosen = [...byNetwork].flatMap(([key, group]) => {
    const route = chooseRoute(group)
    return route ? [[key, route.name] as const] : []
  })
  return { byName: new Map(routes.map((route) => [route.name, route])), byNetwork, chosen: new Map(chosen) }
}

/**
 * Keeps the routes in memory, up to date with the database within a second, so that the API chooses one
 * without waiting. A pause or resume raises the catalogue's version; an order chosen from an older one is decided again.
 */
export async function loadRoutes(deps: RouteDeps): Promise<Routes> {
  const followed = await followEpoch(
    deps.epoch,
    async () => takeSnapshot(await readRoutes(deps.db)),
    (error) => deps.log.error({ reason: String(error) }, 'the routes could not be read; the last known ones stay in use'),
  )
  return {
    choose: (product, network) => followed.value().chosen.get(keyOf(product, network)),
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
