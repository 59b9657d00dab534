import { sql } from 'kysely'
import { networkTitle } from '../networks/number-plan.ts'
import { listPublicIncidents, type PublicIncident } from '../notices/incidents/announce-incident.ts'
import type { ProductFacts } from '../orders/product-facts.ts'
import type { Db } from '../platform/database/database.ts'
import { firstIdAt } from '../platform/database/first-id-at.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import type { Setting, Settings } from '../platform/settings/settings.ts'
import type { Routes } from '../suppliers/route-ports.ts'
import { decideState, type RecentOrders, type ServiceState, shareOf } from './decide-state.ts'

/** Days that have a bar, today included. Incidents that are over are shown for the same time. */
export const daysShown = 90

/** The orders that decide the present state: the newest of each service, within this time. */
const recentMinutes = 60
const recentOrdersMax = 200

/** An order of a supplier that is open for longer is late. */
const lateMinutes = 15

/**
 * A product on one network, or a product that has no networks. It does not show how many orders there are, because anybody may
 * see it.
 */
export type Service = {
  readonly product: string
  readonly title: string
  /** Null: the product has no networks. */
  readonly network: string | null
  readonly state: ServiceState
  /** Share of the newest ended orders of the last hour that was delivered, 0 to 1. Null: too few have ended. */
  readonly success: number | null
  /** Median time of these deliveries, in seconds. Null: there were none. */
  readonly deliverySeconds: number | null
  /** The share that was delivered on each day, the oldest first. Null: too few orders ended. */
  readonly days: readonly (number | null)[]
}

export type Status = {
  readonly readAt: Date
  readonly services: readonly Service[]
  readonly incidents: readonly PublicIncident[]
}

export type StatusProduct = Pick<ProductFacts, 'name' | 'title' | 'fulfilledBy'> & {
  readonly soldWhile: Setting<boolean>
  readonly networksSoldWhile?: Readonly<Record<string, Setting<boolean>>>
}

export type StatusSource = {
  readonly db: Db
  readonly settings: Settings
  readonly routes: Pick<Routes, 'list'>
  readonly products: readonly StatusProduct[]
}

type Place = { readonly product: StatusProduct; readonly network: string }

/** Every product and network that somebody could sell. Networks without a route to any supplier are left out. */
async function listPlaces({ db, products, routes }: StatusSource): Promise<Place[]> {
  const networks = await db.selectFrom('networks').select(['product', 'name']).orderBy('position').execute()
  const routed = new Set(routes.list().map(({ product, network }) => `${product}/${network}`))
  return products.flatMap((product) => {
    if (product.fulfilledBy !== 'suppliers') return [{ product, network: '' }]
    const own = networks.filter((each) => each.product === product.name && routed.has(`${product.name}/${each.name}`))
    return own.map(({ name: network }) => ({ product, network }))
  })
}

const keyOf = (product: string, network: string) => `${product}/${network}`
const rowsOfPlaces = (places: readonly Place[]) =>
  rowsOf(places, { product: ['text', ({ product }) => product.name], network: ['text', ({ network }) => network] }).as('place')

async function readRecent(db: Db, places: readonly Place[]): Promise<ReadonlyMap<string, RecentOrders>> {
  const from = firstIdAt(Date.now() - recentMinutes * 60_000)
  const { rows } = await sql<RecentOrders & { product: string; network: string }>`
    select product, network, count(*) filter (where status = 'completed')::int as delivered,
      count(*) filter (where status in ('failed', 'refunded', 'cancelled'))::int as failed,
      count(*) filter (where status in ('pending', 'processing')
        and created_at < clock_timestamp() - make_interval(mins => ${lateMinutes}))::int as late,
      percentile_cont(0.5) within group (order by extract(epoch from updated_at - created_at)::float8)
        filter (where status = 'completed') as "deliverySeconds"
    from ${rowsOfPlaces(places)} cross join lateral (
      select status, created_at, updated_at from orders
      where kind = product and coalesce(details ->> 'network', details ->> 'biller', '') = network and id >= ${from}::uuid
      order by id desc limit ${recentOrdersMax}
    ) as recent group by product, network`.execute(db)
  return new Map(rows.map((row) => [keyOf(row.product, row.network), row]))
}

/** The share of each day that was delivered, from the sums of the reports: as fresh as these. */
async function readDays(db: Db, places: readonly Place[]): Promise<(place: Place) => (number | null)[]> {
  const { rows } = await sql<{ product: string; network: string; ago: number; delivered: number; failed: number }>`
    select place.product, place.network, ago, sum(delivered)::float8 as delivered, sum(failed)::float8 as failed
    from daily_figures
    join ${rowsOfPlaces(places)}
      on place.product = daily_figures.product and place.network in ('', daily_figures.network)
    cross join lateral (select (now() at time zone 'Africa/Accra')::date - day as ago) as age
    where slice = 'goods'
      and day = any(array(select (now() at time zone 'Africa/Accra')::date - ago from generate_series(0, ${daysShown - 1}) as ago))
    group by 1, 2, 3`.execute(db)
  const shares = new Map(rows.map((row) => [`${keyOf(row.product, row.network)}/${row.ago}`, shareOf(row)]))
  return ({ product, network }) =>
    Array.from({ length: daysShown }, (_, nth) => shares.get(`${keyOf(product.name, network)}/${daysShown - 1 - nth}`) ?? null)
}

async function isSold({ settings }: StatusSource, { product, network }: Place): Promise<boolean> {
  const own = product.networksSoldWhile?.[network]
  return (await settings.read(product.soldWhile)) && (own === undefined || (await settings.read(own)))
}

/** True when orders can be sent now, or need no supplier. */
function canSend({ routes }: StatusSource, { product, network }: Place): boolean {
  if (product.fulfilledBy === 'stock' || product.fulfilledBy === 'people') return true
  return routes
    .list()
    .some(
      (route) =>
        route.product === product.name &&
        (network === '' || route.network === network) &&
        route.isSupplierEnabled &&
        route.health.state === 'open',
    )
}

/** Reads what works now and how it worked before, in a form that anybody may see: no suppliers, amounts or order counts. */
export async function readStatus(source: StatusSource): Promise<Status> {
  const { db } = source
  const places = await listPlaces(source)
  const [recent, daysOf, incidents] = await Promise.all([
    readRecent(db, places),
    readDays(db, places),
    listPublicIncidents(db, daysShown),
  ])
  const services = places.map(async (place): Promise<Service> => {
    const { product, network } = place
    const orders = recent.get(keyOf(product.name, network)) ?? { delivered: 0, failed: 0, late: 0, deliverySeconds: null }
    return {
      product: product.name,
      title: product.title,
      network: network === '' ? null : networkTitle(network),
      state: decideState({
        isSold: await isSold(source, place),
        canSend: canSend(source, place),
        orders: product.fulfilledBy === 'suppliers' ? orders : { ...orders, late: 0 },
      }),
      success: shareOf(orders),
      deliverySeconds: orders.deliverySeconds,
      days: daysOf(place),
    }
  })
  return { readAt: new Date(), services: await Promise.all(services), incidents }
}
