/**
 * Writes rows as a table. Each column is as wide as its widest cell; the first column is aligned to the left, all
 * others to the right.
 */
export function layOutTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const place = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(place).join('  ').trimEnd()).join('\n')
}
