import { writeCsv } from '../../platform/write-csv.ts'
import { writePieces, writeWholeFile } from './write-out.ts'

/**
 * Writes rows to a file as CSV, with the names of the columns first, and returns a line that says so. Without a file it
 * does nothing.
 * @throws CommandError when the file cannot be written
 */
export async function writeCsvFile(file: string | undefined, rows: readonly (readonly (string | number)[])[]): Promise<string> {
  if (file === undefined) return ''
  await writeWholeFile(file, writePieces([writeCsv(rows)]))
  return `\n${rows.length - 1} lines were written to ${file}.`
}
