import { writeFile } from 'node:fs/promises'
import { writeCsv } from '../../platform/write-csv.ts'
import { CommandError } from './command-error.ts'

/**
 * Writes rows to a file as CSV, with the names of the columns first, and returns a line that says so. Without a file it
 * does nothing.
 * @throws CommandError when the file cannot be written
 */
export async function writeCsvFile(file: string | undefined, rows: readonly (readonly (string | number)[])[]): Promise<string> {
  if (file === undefined) return ''
  await writeFile(file, writeCsv(rows)).catch((error: unknown) => {
    throw new CommandError(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  })
  return `\n${rows.length - 1} lines were written to ${file}.`
}
