import { sql } from 'kysely'
import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { Nullable, OneOf } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { routeName } from '../route-ports.ts'
import { endsWithProbe, operatorReasonText } from '../routes/route-health.ts'

export const DeskRoute = Type.Object(
  {
    route: Type.String({ examples: ['datamart/data/MTN'] }),
    supplier: Type.String(),
    product: Type.String(),
    network: Type.String(),
    priority: Type.Integer(),
    rank: Type.Integer({ description: 'Its place among the routes of its product and network, from 1.' }),
    isSupplierEnabled: Type.Boolean(),
    state: OneOf(['open', 'paused']),
    pausedBy: Type.Unsafe<'person' | 'float' | 'auth' | 'disabled' | 'silent' | null>({
      type: ['string', 'null'],
      enum: ['person', 'float', 'auth', 'disabled', 'silent', null],
      description: 'Who or what paused it; null: it is open.',
    }),
    pausedReason: Nullable(Type.String({ description: 'A person’s own words.' })),
    pausedAt: Nullable(Timestamp()),
    pausedUntil: Nullable(Timestamp({ description: 'When it is looked at next, or opens by itself; null: it stays.' })),
    probedAt: Nullable(Timestamp({ description: 'When its supplier was last looked at.' })),
    probeSaid: Nullable(Type.String({ description: 'What that look found.' })),
    ordersWaiting: Type.Integer({ description: 'Not sent yet.' }),
    ordersSent: Type.Integer({ description: 'Sent, and asked about.' }),
  },
  { title: 'DeskRoute' },
)

/** Counts the open orders of each route, by the route's name: orders that wait for it, and orders sent through it. */
export type CountOrders = (db: Db) => Promise<ReadonlyMap<string, { readonly waiting: number; readonly sent: number }>>

type Row = {
  supplier: string
  product: string
  network: string
  priority: number
  rank: number
  isSupplierEnabled: boolean
  state: 'open' | 'paused'
  pausedReason: string | null
  pausedAt: Date | null
  pausedUntil: Date | null
  probedAt: Date | null
  probeSaid: string | null
}

function pauseOf({ state, pausedReason, probedAt, probeSaid }: Row) {
  const reason = state === 'paused' ? (pausedReason ?? '') : undefined
  if (reason === undefined) return { pausedBy: null, pausedReason: null, probedAt: null, probeSaid: null }
  if (endsWithProbe(reason)) return { pausedBy: reason as 'float', pausedReason: null, probedAt, probeSaid }
  return { pausedBy: 'person' as const, pausedReason: operatorReasonText(reason), probedAt: null, probeSaid: null }
}

/** All routes, or one supplier's, best first per product and network, with how many open orders each has. */
export async function listDeskRoutes(db: Db, countOrders: CountOrders, supplier?: string) {
  const { rows } = await sql<Row>`
    select * from (
      select supplier, product, network, priority, state, paused_reason as "pausedReason", paused_at as "pausedAt",
        paused_until as "pausedUntil", probed_at as "probedAt", probe_said as "probeSaid", is_enabled as "isSupplierEnabled",
        (rank() over (partition by product, network order by priority, supplier))::integer as rank
      from routes join suppliers on suppliers.name = routes.supplier
    ) as route
    where ${supplier ?? null}::text is null or supplier = ${supplier ?? null}
    order by product, network, rank`.execute(db)
  const orders = await countOrders(db)
  return rows.map((row) => {
    const name = routeName(row)
    const { waiting, sent } = orders.get(name) ?? { waiting: 0, sent: 0 }
    return { ...row, ...pauseOf(row), route: name, ordersWaiting: waiting, ordersSent: sent }
  })
}

/** Every product and network that a route may serve. */
export function listRouteNetworks(db: Db) {
  return db.selectFrom('networks').select(['product', 'name as network']).orderBy('product').orderBy('position').execute()
}
