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

/**
 * Replaces characters that could control the terminal or begin a new line: callers of the API and suppliers choose such
 * texts.
 */
export const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')

const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' })

/** A moment in a message for people: `21 Nov 2026, 09:14 GMT`. Ghana is on Greenwich time all year. */
export const showMoment = (moment: Date): string => `${format.format(moment)} GMT`

/** A size in a message for people: `41 kB`, `5.0 MB`. Sizes above 999,000 bytes are in megabytes. */
export const showSize = (bytes: number): string =>
  bytes <= 999_000 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
