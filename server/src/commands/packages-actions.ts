import { open, writeFile } from 'node:fs/promises'
import { readConfig } from '../config.ts'
import { exportPackages } from '../products/data/export-packages.ts'
import { importPackages } from '../products/data/import-packages.ts'
import { CommandError } from './command-error.ts'
import { operatorName } from './operator-name.ts'
import { printResult } from './print-result.ts'
import { withDatabase } from './with-database.ts'

function fileError(file: string, does: string): (error: unknown) => never {
  return (error) => {
    throw new CommandError(`${file} cannot be ${does}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

/** `makola packages import`. */
export async function runPackagesImport(file: string, isBelowCostAllowed: boolean): Promise<void> {
  const handle = await open(file).catch(fileError(file, 'read'))
  try {
    const result = await withDatabase(readConfig(), (db) =>
      importPackages(db, { file: handle.createReadStream({ autoClose: false }), isBelowCostAllowed, actor: operatorName() }),
    )
    printResult(result, `${result.imported} packages were imported, ${result.skipped} were as in the file already.`)
  } finally {
    await handle.close()
  }
}

/** `makola packages export`. */
export async function runPackagesExport(file: string): Promise<void> {
  const { text, count } = await withDatabase(readConfig(), exportPackages)
  await writeFile(file, text).catch(fileError(file, 'written'))
  printResult({ exported: count }, `${count} packages were written to ${file}.`)
}
