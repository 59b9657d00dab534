import { type RawBuilder, sql } from 'kysely'
import type { ProductFacts } from '../product-facts.ts'

/**
 * Selects, for each product whose orders' references we choose, the ids of the orders with this reference. A caller may add a
 * condition. The kind is in the text of the statement, so that PostgreSQL always uses the index of these orders alone.
 */
export function selectNamedOrders(products: readonly ProductFacts[], reference: string): RawBuilder<{ id: string }>[] {
  return products
    .filter(({ namesItsOrders }) => namesItsOrders)
    .map(({ name }) => sql<{ id: string }>`select id from orders where kind = ${sql.lit(name)} and reference = ${reference}`)
}
