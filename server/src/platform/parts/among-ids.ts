import { type RawBuilder, sql } from 'kysely'

/**
 * The condition that an id is one of these, for a table in parts by month. PostgreSQL sees in the two bounds which parts it need
 * not read; in a list it may not see that.
 */
export function amongIds(column: string, ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} = any(${ids}::uuid[]) and ${betweenIds(column, ids)})`
}

/**
 * The condition that an id is between the first and the last of these. Where a row of a table in parts belongs to each of them,
 * this keeps PostgreSQL from planning for the parts of other months, which takes longer than reading the row.
 */
export function betweenIds(column: string, ids: readonly string[]): RawBuilder<boolean> {
  const sorted = ids.map((id) => id.toLowerCase()).toSorted()
  return sql<boolean>`${sql.ref(column)} between ${sorted[0] ?? null}::uuid and ${sorted.at(-1) ?? null}::uuid`
}
