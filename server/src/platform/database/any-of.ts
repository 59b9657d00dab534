import { type RawBuilder, sql } from 'kysely'

/**
 * `any(…)` over a list, for statements that every request may wait for. PostgreSQL counts the entries of a list in the
 * statement. For fewer than ten it makes a new plan each time, which takes longer than the statement itself. It does not count
 * a list from a subquery, so one plan serves every run.
 */
export function anyOf(type: 'text' | 'uuid', values: readonly string[]): RawBuilder<unknown> {
  const list = sql.raw(`${type}[]`)
  return sql`any((select ${values}::${list})::${list})`
}
