import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../database/database.ts'

/**
 * Makes the missing partitions of the tables that are partitioned by month, up to two months after this one. Without `since`
 * they begin with the month before this one, because a clock may be slow.
 */
export async function createPartitions(db: Db | Tx, since?: Date): Promise<void> {
  await sql`select create_partitions(coalesce(${since ?? null}::timestamptz, now() - interval '1 month'))`.execute(db)
}

/** The tables that have no partition for the next month. */
export async function listTablesWithoutNextPartition(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from partitioned_tables
    where not exists (select from pg_inherits
      where inhparent = name::regclass
        and inhrelid = to_regclass(name || to_char((now() at time zone 'UTC') + interval '1 month', '_YYYY_MM')))
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Has autovacuum freeze one more partition of each table, of a month that ended at least a week ago. Renews the statistics of
 * the whole table that has grown most, if one has grown by more than a tenth.
 */
export async function maintainPartitions(db: Db): Promise<void> {
  await sql`select close_partitions()`.execute(db)
  await sql`select analyze_partitioned_table()`.execute(db)
}

/**
 * The condition that an id is one of these, for a table partitioned by month. By the two bounds PostgreSQL skips the partitions
 * of other months; from a list alone it may not.
 */
export function amongIds(column: string, ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} = any(${ids}::uuid[]) and ${betweenIds(column, ids)})`
}

/**
 * The condition that an id is between the first and the last of these. Use it where a statement reads a row of a partitioned
 * table for each id: without it PostgreSQL plans for all partitions, which takes longer than reading the row.
 */
export function betweenIds(column: string, ids: readonly string[]): RawBuilder<boolean> {
  const sorted = ids.map((id) => id.toLowerCase()).toSorted()
  return sql<boolean>`${sql.ref(column)} between ${sorted[0] ?? null}::uuid and ${sorted.at(-1) ?? null}::uuid`
}
