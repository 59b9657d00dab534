import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import { type Chain, keyColumns, keyName, keyTexts, positionOfRow, type RowRange, rowTextOf, selectRowsInRange } from './chain.ts'

/** The hash of rows in order. */
export type RowsDigest = {
  readonly rowCount: number
  /** SHA-256 over the lines of the rows. */
  readonly rowsHash: string
  /** A line per row: its key, and the first 16 hexadecimal digits of the hash of its text. */
  readonly rowMarks: string
  /** The position of the last row; null when there is no row. */
  readonly lastPosition: number | null
  readonly lastKey: readonly string[] | null
}

/** Makes the transaction write times in UTC, whatever the role's time zone is. */
export async function useUtc(tx: Tx): Promise<void> {
  await sql`set local time zone 'UTC'`.execute(tx)
}

/** Selects the first `rowsMax` rows of a stretch, in order, with their lines. The transaction must use UTC. */
function linesOf(chain: Chain, form: number, stretch: RowRange, rowsMax: number | undefined): RawBuilder<unknown> {
  const limit = rowsMax === undefined ? sql`` : sql`limit ${rowsMax}`
  // The rows are limited first, so that only these become texts.
  return sql`
    select row_number() over (order by ${positionOfRow}, ${keyColumns(chain)}) as no,
      ${positionOfRow} as position, ${keyTexts(chain)} as key, ${keyName(chain)} as name, ${rowTextOf(chain, form)} as line
    from (select * from (${selectRowsInRange(chain, stretch)}) as every order by ${positionOfRow}, ${keyColumns(chain)} ${limit}) as chosen`
}

const markOf = sql`name || ' ' || left(encode(sha256(convert_to(line, 'UTF8')), 'hex'), 16)`

/** The mark of a row of a chain, in a select from its columns. */
export const markOfRow = (chain: Chain, form: number): RawBuilder<string> =>
  sql`(select ${markOf} from (select ${keyName(chain)} as name, ${rowTextOf(chain, form)} as line) as marked)`

/** Hashes the rows of a stretch. PostgreSQL calculates the hash, so the rows are not sent to this process. */
export async function digestRows(
  tx: Tx,
  chain: Chain,
  { form, stretch, rowsMax }: { form: number; stretch: RowRange; rowsMax?: number },
): Promise<RowsDigest> {
  const { rows } = await sql<{
    count: number
    hash: string
    marks: string
    last_position: number | null
    last_key: string[] | null
  }>`
    with lines as materialized (${linesOf(chain, form, stretch, rowsMax)})
    select count(*) as count,
      encode(sha256(convert_to(coalesce(string_agg(line, e'\n' order by no), ''), 'UTF8')), 'hex') as hash,
      coalesce(string_agg(${markOf}, e'\n' order by no), '') as marks,
      max(position) as last_position, (array_agg(key order by no desc))[1] as last_key
    from lines`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('rows that were counted came to nothing')
  return {
    rowCount: row.count,
    rowsHash: row.hash,
    rowMarks: row.marks,
    lastPosition: row.last_position,
    lastKey: row.last_key,
  }
}

/** Reads the present marks of the rows of a stretch. */
export async function readMarks(tx: Tx, chain: Chain, { form, stretch }: { form: number; stretch: RowRange }): Promise<string[]> {
  const { rows } = await sql<{ mark: string }>`
    with lines as materialized (${linesOf(chain, form, stretch, undefined)}) select ${markOf} as mark from lines order by no`.execute(
    tx,
  )
  return rows.map(({ mark }) => mark)
}
