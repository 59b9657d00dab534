/**
 * Reads a page of a list.
 * @param list reads the given number of rows: one more than a page, to learn whether there is a next page
 * @returns `next`: the id of the page's last row, after which the next page begins; null on the last page
 */
export async function pageOf<Row>(
  limit: number,
  list: (rows: number) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
): Promise<{ readonly rows: readonly Row[]; readonly next: string | null }> {
  const found = await list(limit + 1)
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: found.length > limit && last ? idOf(last) : null }
}
