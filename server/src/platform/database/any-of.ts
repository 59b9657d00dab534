import { type RawBuilder, sql } from 'kysely'

/**
 * `any(…)` over a list, for statements that every request may wait for. PostgreSQL counts the entries of a list that it can
 * see. With fewer than ten it plans the statement anew each time, which takes longer than to run it. It does not count a list
 * out of a subquery, so one plan serves every run.
 */
export function anyOf(type: 'text' | 'uuid', values: readonly string[]): RawBuilder<unknown> {
  const list = sql.raw(`${type}[]`)
  return sql`any((select ${values}::${list})::${list})`
}
