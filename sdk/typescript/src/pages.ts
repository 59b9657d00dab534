/**
 * Reads pages one after the other, each when it is needed. Of a list that grows meanwhile, a row that has moved to the next
 * page is given once.
 */
export async function* readPages<Row extends object>(
  readPage: (page: number) => Promise<readonly Row[]>,
  rowsPerPage: number,
): AsyncGenerator<Row> {
  let before = new Set<string>()
  for (let page = 0; ; page += 1) {
    const rows = await readPage(page)
    const names = rows.map(nameOf)
    for (const [index, row] of rows.entries()) if (!before.has(names[index] ?? '')) yield row
    if (rows.length < rowsPerPage) return
    before = new Set(names)
  }
}

/** A row's id, or all of it where it has none. */
const nameOf = (row: object) => ('id' in row ? String(row.id) : JSON.stringify(row))

/** Reads pages that name the next one, each when it is needed. */
export async function* followPages<Row, Cursor>(
  readPage: (after: Cursor | undefined) => Promise<{ readonly rows: readonly Row[]; readonly next: Cursor | null }>,
): AsyncGenerator<Row> {
  let after: Cursor | undefined
  do {
    const { rows, next } = await readPage(after)
    yield* rows
    after = next ?? undefined
  } while (after !== undefined)
}
