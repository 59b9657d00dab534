import { type RawBuilder, sql } from 'kysely'

/**
 * Selects `id` and `order_id` of the attempts with these outgoing references. No index holds the references: each begins with the
 * time of its order, so its attempt is one of the few of that millisecond.
 */
export function attemptsNamed(references: readonly string[]): RawBuilder<{ id: string; order_id: string }> {
  return sql`
    select attempt.id, attempt.order_id
    from unnest(${references.map((reference) => reference.toLowerCase())}::text[]) as named (reference)
    cross join lateral (
      select id, order_id from attempts
      where order_id between order_bound_of(named.reference, '0') and order_bound_of(named.reference, 'f')
        and outgoing_reference = named.reference
      limit 1
    ) as attempt`
}
