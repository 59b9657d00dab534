import { type RawBuilder, sql } from 'kysely'
import type { ProductFacts } from '../product-facts.ts'

/**
 * Selects `order_id` and `attempt_no` of the attempts with these outgoing references. No index holds the references: each
 * begins with the time of its order, so its attempt is one of the few of that millisecond.
 */
export function attemptsNamed(references: readonly string[]): RawBuilder<{ order_id: string; attempt_no: number }> {
  return sql`
    select attempt.order_id, attempt.attempt_no
    from unnest(${references.map((reference) => reference.toLowerCase())}::text[]) as named (reference)
    cross join lateral (
      select order_id, attempt_no from attempts
      where order_id between order_bound_of(named.reference, '0') and order_bound_of(named.reference, 'f')
        and outgoing_reference = named.reference
      limit 1
    ) as attempt`
}

/**
 * Selects, for each product whose orders' references we choose, the ids of the orders with this reference. A caller may add a
 * condition. The kind is in the text of the statement, so that PostgreSQL always uses the index of these orders alone.
 */
export function selectNamedOrders(products: readonly ProductFacts[], reference: string): RawBuilder<{ id: string }>[] {
  return products
    .filter(({ namesItsOrders }) => namesItsOrders)
    .map(({ name }) => sql<{ id: string }>`select id from orders where kind = ${sql.lit(name)} and reference = ${reference}`)
}
