import { open } from 'node:fs/promises'
import { readConfig } from '../config.ts'
import { products } from '../products/products.ts'
import { StatementError } from '../reconciliation/read-statement.ts'
import { type Reconciliation, reconcileStatement } from '../reconciliation/reconcile-statement.ts'
import { CommandError } from './frame/command-error.ts'
import { printResult } from './frame/print-result.ts'
import { readPeriod } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'
import { reconciliationJson, reconciliationText } from './show-reconciliation.ts'

export type ReconcileOptions = { supplier: string; from?: string; to?: string }

/** How each product says what its orders should have cost. */
const expectations = products.flatMap(({ expectedCost }) => expectedCost ?? [])

async function reconcile(file: string, options: ReconcileOptions): Promise<Reconciliation> {
  const period = readPeriod(options)
  const handle = await open(file).catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  })
  try {
    return await withDatabase(readConfig(), async (db) => {
      const supplier = await db.selectFrom('suppliers').select('name').where('name', '=', options.supplier).executeTakeFirst()
      if (!supplier)
        throw new CommandError(`There is no supplier ${JSON.stringify(options.supplier)}; see \`makola supplier list\`.`)
      return reconcileStatement(db, {
        supplier: supplier.name,
        file: handle.createReadStream({ autoClose: false }),
        expectations,
        ...period,
      })
    })
  } catch (error) {
    if (error instanceof StatementError) throw new CommandError(error.message, { cause: error })
    throw error
  } finally {
    await handle.close()
  }
}

/** `makola reconcile`. */
export async function runReconcile(file: string, options: ReconcileOptions): Promise<void> {
  const result = await reconcile(file, options)
  printResult(reconciliationJson(result), reconciliationText(result))
}
