import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import type { TableWork } from './migration-needs.ts'

/** The microseconds that this server needs for one row of a table: to read it, to write it, to add it to an index. */
export type RowCosts = { readonly read: number; readonly write: number; readonly index: number }

/** Few enough to be measured within a second, and enough that the network delay to the server hardly matters. */
const sampleRows = 10_000
/** A smaller table is not measured: it takes only a moment on every disk. */
const fewestRows = 1_000

/**
 * Measures on a sample of the rows, which is copied into a temporary table. The commit drops that table.
 * @returns undefined for a small table, and when this login may not read the table or make temporary ones
 */
export async function measureTable(db: Db, table: string): Promise<RowCosts | undefined> {
  const { rows } = await sql<{ may: boolean }>`
    select has_table_privilege(${table}, 'select') and has_database_privilege(current_database(), 'temporary') as may`.execute(db)
  if (rows[0]?.may !== true) return undefined
  return inTransaction(db, async (tx) => {
    const time = async (statement: RawBuilder<unknown>): Promise<number> => {
      const startedAt = performance.now()
      await statement.execute(tx)
      return (performance.now() - startedAt) * 1_000
    }
    const sample = sql`select * from ${sql.table(table)} limit ${sql.lit(sampleRows)}`
    // Read first: only the first reading may have to wait for the disk.
    const read = await time(sql`select count(sample::text) from (${sample}) as sample`)
    const write = await time(
      sql`create temporary table upgrade_sample on commit drop as select *, gen_random_uuid() as sample_key from (${sample}) as sample`,
    )
    const found = await sql<{ count: number }>`select count(*)::int as count from upgrade_sample`.execute(tx)
    const count = found.rows[0]?.count ?? 0
    if (count < fewestRows) return undefined
    const index = await time(sql`create index on upgrade_sample (sample_key)`)
    return { read: read / count, write: write / count, index: index / count }
  })
}

/** The costs of a row on a slow disk, used when they cannot be measured. */
export const slowCosts: RowCosts = { read: 1, write: 4, index: 10 }

/**
 * The time for one row, in microseconds. A changed row is written to the table and to the write-ahead log, and added to each
 * index. Small steps pause for as long as they work.
 */
export function microsecondsPerRow(does: TableWork['does'], { read, write, index }: RowCosts, indexes: number): number {
  const change = read + 2 * write + indexes * index
  return { steps: 2 * change, rows: change, index: read + index, check: read, catalogue: 0 }[does]
}
