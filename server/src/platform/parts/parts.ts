import { sql } from 'kysely'
import type { Db, Tx } from '../database/database.ts'

/**
 * Makes the missing parts of the tables that are kept in parts by month, up to two months after this one. Without `since` they
 * begin with the month before this one, because a clock may be slow.
 */
export async function makeParts(db: Db | Tx, since?: Date): Promise<void> {
  await sql`select make_parts(coalesce(${since ?? null}::timestamptz, now() - interval '1 month'))`.execute(db)
}

/** The tables that have no part for the next month. */
export async function listTablesWithoutNextPart(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from tables_in_parts
    where not exists (select from pg_inherits
      where inhparent = name::regclass
        and inhrelid = to_regclass(name || to_char((now() at time zone 'UTC') + interval '1 month', '_YYYY_MM')))
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Has one part of each table whose month is over frozen, and the statistics of one whole table renewed. */
export async function keepParts(db: Db): Promise<void> {
  await sql`select close_parts()`.execute(db)
  await sql`select analyze_parts()`.execute(db)
}
