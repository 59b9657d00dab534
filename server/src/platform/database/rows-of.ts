import { type RawBuilder, sql } from 'kysely'

type ValueOf = {
  uuid: string
  text: string
  inet: string
  jsonb: string
  smallint: number
  integer: number
  bigint: number
  float8: number
  boolean: boolean
  timestamptz: Date
  bytea: Buffer
}

type Column<Item> = {
  [Type in keyof ValueOf]: readonly [type: Type, read: (item: Item) => ValueOf[Type] | null]
}[keyof ValueOf]

/** Rows that are sent as one array per column. Each method writes them for another part of an SQL statement. */
export type Rows = {
  /** A table of this name, for `from` and `join`. */
  as(name: string): RawBuilder<unknown>
  /** The column list and the rows, for the place after `insert into <table>`. */
  forInsert(): RawBuilder<unknown>
  /** The condition that the columns of a table equal the columns of the same names in one of the rows. */
  matching(table: string): RawBuilder<unknown>
  /** Named arguments of a PostgreSQL function: each column is one argument. */
  asArguments(): RawBuilder<unknown>
}

/**
 * Gives items to a statement as rows. Each column has its type and a function that reads its value from an item, so two
 * columns cannot be swapped. The statement has one parameter per column, however many items there are.
 * @param columns names as the code writes them, never a text from outside
 */
export function rowsOf<Item>(items: readonly Item[], columns: Readonly<Record<string, Column<Item>>>): Rows {
  const names = Object.keys(columns)
  const list = names.map((name) => `"${name}"`).join(', ')
  const join = (before: string, after: string, naming: (name: string) => string): RawBuilder<unknown> => {
    const parts: string[] = []
    const arrays: unknown[] = []
    let text = before
    for (const [name, [type, read]] of Object.entries(columns)) {
      parts.push(`${text}${naming(name)}`)
      arrays.push(items.map((item) => read(item)))
      text = `::${type}[], `
    }
    parts.push(`${text.slice(0, -2)}${after}`)
    return sql(Object.assign(parts, { raw: parts }), ...arrays)
  }
  const build = (before: string, after: string) => join(`${before} unnest(`, `)${after}`, () => '')
  return {
    as: (name) => build('', ` as "${name}" (${list})`),
    forInsert: () => build(`(${list}) select * from`, ` as item (${list})`),
    matching(table) {
      const qualified = names.map((name) => `"${table}"."${name}"`).join(', ')
      return build(`(${qualified}) in (select * from`, `)`)
    },
    asArguments: () => join('', '', (name) => `"${name}" => `),
  }
}
