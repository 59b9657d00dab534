import { type RawBuilder, sql } from 'kysely'

/**
 * The condition that an id is one of these, for a table in parts by month. PostgreSQL sees in the two bounds which parts it need
 * not read; in a list it may not see that.
 */
export function amongIds(column: string, ids: readonly string[]): RawBuilder<boolean> {
  const sorted = ids.map((id) => id.toLowerCase()).toSorted()
  const id = sql.ref(column)
  return sql<boolean>`(${id} = any(${ids}::uuid[]) and ${id} between ${sorted[0] ?? null}::uuid and ${sorted.at(-1) ?? null}::uuid)`
}
