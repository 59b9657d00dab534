/**
 * Writes rows as a table, whose columns are as wide as their widest cells. In a table of figures all columns but the first are
 * aligned to the right; in a table of words all are aligned to the left.
 */
export function layOutTable(rows: readonly (readonly string[])[], content: 'figures' | 'words' = 'figures'): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const place = (cell: string, column: number) =>
    column === 0 || content === 'words' ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(place).join('  ').trimEnd()).join('\n')
}
