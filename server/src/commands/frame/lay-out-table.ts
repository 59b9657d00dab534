/**
 * Writes rows as a table. Each column is as wide as its widest cell. A table of figures has its first column aligned to
 * the left and all others to the right, a table of words has all columns aligned to the left.
 */
export function layOutTable(rows: readonly (readonly string[])[], content: 'figures' | 'words' = 'figures'): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const place = (cell: string, column: number) =>
    column === 0 || content === 'words' ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(place).join('  ').trimEnd()).join('\n')
}
