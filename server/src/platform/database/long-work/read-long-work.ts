/** Rows of a large table that are changed batch by batch, by ranges of a key. */
export type BatchWork = {
  readonly kind: 'batches'
  readonly table: string
  readonly key: string
  readonly rowsMax: number
  /** Changes the rows whose key is between `:first` and `:last`. */
  readonly statement: string
}

/** An index of a partitioned table, made partition by partition. */
export type IndexWork = {
  readonly kind: 'index'
  readonly name: string
  readonly table: string
  readonly unique: string
  /** All after the name of the table: columns, conditions. */
  readonly rest: string
  /** Statements that follow, such as a comment. */
  readonly afterwards: readonly string[]
}

export type LongWork = BatchWork | IndexWork

/** The first line of each kind of long work. */
const batchLine = /^-- long work: batches of (?<rows>\d+) rows of (?<table>\w+) by (?<key>\w+)\n/
const indexLine = /^-- long work: an index on each partition\n/
const indexStatement = /^\s*create (?<unique>unique )?index (?<name>\w+)\s+on (?<table>\w+)\s+(?<rest>[^;]+);/

const withoutEnd = (text: string) => text.trim().replace(/;$/, '')

/**
 * Reads a migration that is long work.
 * @returns undefined for a migration of another kind
 * @throws Error for a form that is not understood
 */
export function readLongWork(text: string): LongWork | undefined {
  const batches = batchLine.exec(text)
  if (batches?.groups) {
    const { rows = '', table = '', key = '' } = batches.groups
    const statement = withoutEnd(text.slice(batches[0].length))
    if (!statement.includes(':first') || !statement.includes(':last')) {
      throw new Error('the statement of a batch names its rows by :first and :last')
    }
    return { kind: 'batches', table, key, rowsMax: Number(rows), statement }
  }
  const line = indexLine.exec(text)
  if (line) {
    const body = text.slice(line[0].length)
    const index = indexStatement.exec(body)
    if (!index?.groups) throw new Error('the first statement is `create index name on table …`')
    const { unique = '', name = '', table = '', rest = '' } = index.groups
    const others = body.slice(index[0].length).split(/;$/m).map(withoutEnd)
    return { kind: 'index', name, table, unique, rest, afterwards: others.filter((each) => each !== '') }
  }
  if (text.startsWith('-- long work')) throw new Error('its first line is none of the two of long work')
  return undefined
}
