import { type RawBuilder, sql } from 'kysely'

/**
 * `any(…)` over a list, for statements that every request may wait for. A list that PostgreSQL can see is counted, and
 * a statement with fewer than ten entries is then planned anew each time it runs, which takes longer than to run it.
 * A list out of a subquery is not counted, so one plan serves them all.
 */
export function anyOf(type: 'text' | 'uuid', values: readonly string[]): RawBuilder<unknown> {
  const list = sql.raw(`${type}[]`)
  return sql`any((select ${values}::${list})::${list})`
}
