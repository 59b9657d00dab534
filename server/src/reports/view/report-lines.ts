/** Rows as JSON shows them: numbers, texts, or null where the value is not known. */
export type ReportRow = Readonly<Record<string, string | number | boolean | null>>

const cellOf = (value: ReportRow[string]): string | number => (typeof value === 'number' ? value : String(value ?? ''))

/** The rows of a report for a file, with the names of their columns first. */
export function linesOf(rows: readonly ReportRow[]): (string | number)[][] {
  return [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row).map(cellOf))]
}
