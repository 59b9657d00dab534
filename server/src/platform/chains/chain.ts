import { type RawBuilder, sql } from 'kysely'

/** A table whose rows are only added and are sealed in blocks. It has the columns `era` and `transaction_id`. */
export type Chain = {
  readonly name: 'operator_log' | 'transfers' | 'order_events'
  /** The name of one row in messages for people. */
  readonly rowName: string
  readonly table: RawBuilder<unknown>
  /** The primary key. It orders the rows of one transaction for sealing. */
  readonly key: readonly KeyPart[]
  /**
   * The sealed columns of a row. A list is never changed after blocks were sealed with it: a new column needs a new list,
   * which later blocks use.
   */
  readonly forms: readonly (readonly string[])[]
}

/** A column of the key. Texts are compared byte by byte, so that the order does not depend on the server's collation. */
type KeyPart = { readonly column: string; readonly type: 'uuid' | 'bigint' | 'text' }

/**
 * A place in a chain: just after the row with this key, in the transaction at this position. `[]`: before the first row of
 * the transaction. Null: after its last row.
 */
export type ChainPosition = { readonly position: number; readonly key: readonly string[] | null }

/** The rows after one place, up to another place. */
export type RowRange = { readonly after: ChainPosition; readonly through: ChainPosition }

/** The position of a row: its era and its transaction. The indexes use exactly this expression. */
export const positionOfRow = sql`((era::bigint << 48) + transaction_id::text::bigint)`

const columnOf = ({ column, type }: KeyPart) => (type === 'text' ? sql`${sql.ref(column)} collate "C"` : sql.ref(column))

/** Columns of the key, as a list for `order by`. */
export const keyColumns = ({ key }: Chain) => sql.join(key.map(columnOf))

export const keyTexts = ({ key }: Chain) =>
  sql`jsonb_build_array(${sql.join(key.map(({ column }) => sql`${sql.ref(column)}::text`))})`

export const keyName = ({ key }: Chain) => sql`concat_ws('/', ${sql.join(key.map(({ column }) => sql.ref(column)))})`

/**
 * The text of a row for its hash. PostgreSQL writes its numbers, times in UTC and texts as JSON, in the same way in all
 * versions.
 * @throws Error for a form that this version does not know
 */
export function rowTextOf(chain: Chain, form: number): RawBuilder<unknown> {
  const columns = chain.forms[form - 1]
  if (!columns) throw new Error(`this version knows no form ${form} of ${chain.name}: a newer one sealed it`)
  return sql`jsonb_build_array(${sql.join(columns.map((column) => sql.ref(column)))})::text`
}

const compareKey = (chain: Chain, operator: '>' | '<=', key: readonly string[]) =>
  sql`(${keyColumns(chain)}) ${sql.raw(operator)} (${sql.join(
    chain.key.map(({ type }, index) => sql`${key[index] ?? null}::${sql.raw(type)}`),
  )})`

/** The rows of one transaction after the key `after`, up to `through`; null: up to its end. */
function selectRowsOfTransaction(chain: Chain, position: number, after: readonly string[], through: readonly string[] | null) {
  const lower = after.length === 0 ? sql`` : sql`and ${compareKey(chain, '>', after)}`
  const upper = through === null ? sql`` : sql`and ${compareKey(chain, '<=', through)}`
  return sql`select * from ${chain.table} where ${positionOfRow} = ${position} ${lower} ${upper}`
}

/**
 * Selects the rows of a stretch, in no particular order. The rest of the first transaction is read by its own statement through
 * the primary key: one transaction holds all rows that were written before there were chains.
 */
export function selectRowsInRange(chain: Chain, { after, through }: RowRange): RawBuilder<unknown> {
  if (after.position === through.position) return selectRowsOfTransaction(chain, after.position, after.key ?? [], through.key)
  const last =
    through.key === null ? sql`` : sql`and (${positionOfRow} < ${through.position} or ${compareKey(chain, '<=', through.key)})`
  const whole = sql`
    select * from ${chain.table}
    where ${positionOfRow} > ${after.position} and ${positionOfRow} <= ${through.position} ${last}`
  return after.key === null ? whole : sql`${selectRowsOfTransaction(chain, after.position, after.key, null)} union all ${whole}`
}
