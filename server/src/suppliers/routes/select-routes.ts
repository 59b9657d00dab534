import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'

/** Selects all routes of a supplier, those of one product, or a single one. */
export type RouteSelection = { readonly supplier: string; readonly product?: string; readonly network?: string }

export function selectRoutes({ supplier, product, network }: RouteSelection): RawBuilder<boolean> {
  return sql<boolean>`routes.supplier = ${supplier}
    and (${product ?? null}::text is null or routes.product = ${product ?? null}::text)
    and (${network ?? null}::text is null or routes.network = ${network ?? null}::text)`
}

/** Locks the routes of a selection in a fixed order, so that two changes cannot deadlock. */
export async function lockRoutes(tx: Tx, selection: RouteSelection): Promise<void> {
  await sql`select from routes where ${selectRoutes(selection)} order by supplier, product, network for update`.execute(tx)
}
