import { type RawBuilder, sql } from 'kysely'
import type { Chain } from '../platform/chains/chain.ts'
import { markOfRow, useUtc } from '../platform/chains/digest-rows.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { Column, TextRow } from './table-file.ts'

/** Blocks of the table in one page: some thousand rows, read and written in some 50 ms. */
const pageBlocks = 64

/** A table whose old months are put away. */
export type PutAwayTable = { readonly name: string; readonly columns: readonly Column[] }

/** Reads the columns of these tables. */
export async function describeTables(db: Db, names: readonly string[]): Promise<PutAwayTable[]> {
  const { rows } = await sql<PutAwayTable>`
    select name,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute where attrelid = name::regclass and attnum > 0 and not attisdropped) as columns
    from unnest(${names}::text[]) as name order by name`.execute(db)
  return rows
}

/** The name of the table that holds the rows of a month while they move from their table to the file, or back. */
export const putAwayTableName = (table: string, month: string) => `${table}_${month.replace('-', '_')}_away`

const cast = ({ name, type }: Column) => sql`${sql.ref(name)}::${sql.raw(type)}`

/** A page of rows, each with its mark in the chain; '' where the table has no chain. */
export type RowsPage = { readonly rows: readonly TextRow[]; readonly marks: readonly string[] }

export type SealForm = { readonly chain: Chain; readonly form: number }

const markIn = (sealed: SealForm | undefined) => (sealed ? markOfRow(sealed.chain, sealed.form) : sql`''`)

async function countBlocks(db: Db, away: string): Promise<number> {
  const { rows } = await sql<{ blocks: number }>`
    select (pg_relation_size(${away}::regclass) / current_setting('block_size')::integer)::integer as blocks`.execute(db)
  return rows[0]?.blocks ?? 0
}

/** Reads the rows that were taken out, in the order in which they lie on the disk. Nothing changes them there. */
export async function* readPutAwayRows(
  db: Db,
  table: PutAwayTable,
  month: string,
  sealed: SealForm | undefined,
): AsyncGenerator<RowsPage> {
  const away = putAwayTableName(table.name, month)
  const texts = sql.join(table.columns.map(({ name }) => sql`${sql.ref(name)}::text`))
  const blocks = await countBlocks(db, away)
  for (let first = 0; first < blocks; first += pageBlocks) {
    const page = await inTransaction(db, async (tx) => {
      await useUtc(tx)
      const { rows } = await sql<{ row: TextRow; mark: string }>`
        select array[${texts}] as row, ${markIn(sealed)} as mark from ${sql.table(away)}
        where ctid >= ${`(${first},0)`}::tid and ctid < ${`(${first + pageBlocks},0)`}::tid`.execute(tx)
      return rows
    })
    if (page.length > 0) yield { rows: page.map(({ row }) => row), marks: page.map(({ mark }) => mark) }
  }
}

/** Makes an SQL expression for the rows of a file, which a statement can read like a table. */
function rowsAsTable(columns: readonly Column[], rows: readonly TextRow[]): RawBuilder<unknown> {
  const arrays = columns.map((_column, index) => sql`${rows.map((row) => row[index] ?? null)}::text[]`)
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  return sql`unnest(${sql.join(arrays)}) as file (${names})`
}

/** The marks that rows of a file would have in the chain. PostgreSQL computes them as it did when the rows were sealed. */
export async function markRows(
  db: Db,
  columns: readonly Column[],
  rows: readonly TextRow[],
  sealed: SealForm,
): Promise<readonly string[]> {
  const values = sql.join(columns.map((column) => sql`${cast(column)} as ${sql.ref(column.name)}`))
  return inTransaction(db, async (tx) => {
    await useUtc(tx)
    const { rows: marked } = await sql<{ mark: string }>`
      select ${markIn(sealed)} as mark from (select ${values} from ${rowsAsTable(columns, rows)}) as each`.execute(tx)
    return marked.map(({ mark }) => mark)
  })
}

/** Adds rows of a file to the table in which they wait to be put back. */
export async function addPutAwayRows(
  db: Db,
  table: PutAwayTable,
  month: string,
  { columns, rows }: { readonly columns: readonly Column[]; readonly rows: readonly TextRow[] },
): Promise<void> {
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  await sql`
    insert into ${sql.table(putAwayTableName(table.name, month))} (${names}) overriding system value
    select ${sql.join(columns.map(cast))} from ${rowsAsTable(columns, rows)}`.execute(db)
}
