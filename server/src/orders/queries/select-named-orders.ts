import { type RawBuilder, sql } from 'kysely'
import type { ProductFacts } from '../product-facts.ts'

/**
 * A select of the ids of the orders with this reference for each product that names its orders itself. A condition may
 * follow each of them. The kind stands in the text of the statement, so that the index of these orders alone fits,
 * whatever plan PostgreSQL keeps.
 */
export function selectNamedOrders(products: readonly ProductFacts[], reference: string): RawBuilder<{ id: string }>[] {
  return products
    .filter(({ namesItsOrders }) => namesItsOrders)
    .map(({ name }) => sql<{ id: string }>`select id from orders where kind = ${sql.lit(name)} and reference = ${reference}`)
}
