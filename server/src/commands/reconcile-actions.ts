import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { readConfig } from '../config.ts'
import { products } from '../products/products.ts'
import { type ImportedReconciliation, reconcileStatement } from '../reconciliation/reconcile-statement.ts'
import { CommandError, UsageError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { readPeriod } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'
import { reconciliationJson, reconciliationText } from './show-reconciliation.ts'

export type ReconcileOptions = { supplier?: string; from?: string; to?: string }

type Period = ReturnType<typeof readPeriod>

/** How each product computes the expected cost of its orders. */
const expectations = products.flatMap(({ expectedCost }) => expectedCost ?? [])

async function reconcile(file: string, supplierName: string, period: Period): Promise<ImportedReconciliation> {
  const handle = await open(file).catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  })
  try {
    return await withDatabase(readConfig(), async (db) => {
      const supplier = await db.selectFrom('suppliers').select('name').where('name', '=', supplierName).executeTakeFirst()
      if (!supplier) throw new CommandError(`There is no supplier ${JSON.stringify(supplierName)}; see \`makola supplier list\`.`)
      return reconcileStatement(db, {
        supplier: supplier.name,
        file: handle.createReadStream({ autoClose: false }),
        fileName: basename(file),
        actor: operatorName(),
        expectations,
        ...period,
      })
    })
  } finally {
    await handle.close()
  }
}

export async function runReconcile(file: string | undefined, options: ReconcileOptions): Promise<void> {
  const period = readPeriod(options)
  if (file === undefined) throw new UsageError('Name the file of the statement. Try `makola reconcile --help`.')
  if (options.supplier === undefined) throw new UsageError('Say whose statement it is, with --supplier.')
  const result = await reconcile(file, options.supplier, period)
  printResult(reconciliationJson(result), `${reconciliationText(result)}\n\n${describeImport(result)}`)
}

/**
 * Describes the import for people. The JSON of this command leaves the import out, so that its form does not change. In
 * `makola reconcile differences --json` each difference names the file it came from.
 */
function describeImport({ supplier, statement, closedDifferences }: ImportedReconciliation): string {
  const { isNew, fileName, importedAt, importedBy } = statement
  const before = `This file was imported before, at ${importedAt.toISOString()} by ${importedBy} as ${fileName}.`
  const closed = closedDifferences === 0 ? '' : ` Earlier differences that are explained now: ${closedDifferences}.`
  return `${isNew ? `Imported as ${fileName}.` : before}${closed} See \`makola reconcile differences --supplier ${supplier} --open\`.`
}
