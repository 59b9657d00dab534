import { type Config, readConfig } from '../config.ts'
import { type ListedSupplier, listSuppliers } from '../suppliers/list-suppliers.ts'
import { readSupplierChange } from '../suppliers/read-supplier-change.ts'
import { SupplierChangeError, writeSupplier } from '../suppliers/write-supplier.ts'
import { UsageError } from './command-error.ts'
import { operatorName } from './operator-name.ts'
import { printResult } from './print-result.ts'
import { withDatabaseAndKeys } from './with-database-and-keys.ts'

function describeSupplier(supplier: ListedSupplier): string {
  const lines = [
    `${supplier.name} (${supplier.adapter}): ${supplier.enabled ? 'enabled' : 'disabled'}`,
    `  address       ${supplier.base_url ?? 'not set'}`,
    `  pace          ${supplier.slots} at once, ${supplier.requests_per_second ?? 'any number of'} requests per second`,
    `  credentials   set: ${supplier.credentials_set.join(', ') || 'none'}; missing: ${supplier.credentials_missing.join(', ') || 'none'}`,
    `  settings      ${JSON.stringify(supplier.settings)}`,
    `  float         ${supplier.float === null ? 'not read yet' : `GHS ${supplier.float.toFixed(2)} at ${supplier.float_read_at}`}`,
  ]
  return lines.join('\n')
}

const simulatedNote =
  'SUPPLIERS=simulator: all of them are at the simulator, with its own credentials. The rows are used with SUPPLIERS=live.'

function printSuppliers(config: Config, suppliers: readonly ListedSupplier[]): void {
  const text = suppliers.map(describeSupplier).join('\n') || 'There is no supplier yet. Add one with `makola supplier set`.'
  printResult({ suppliers }, config.suppliers === 'simulator' ? `${text}\n${simulatedNote}` : text)
}

/** `makola supplier list` */
export async function runSupplierList(): Promise<void> {
  const config = readConfig()
  printSuppliers(config, await withDatabaseAndKeys(config, listSuppliers))
}

/** `makola supplier set` */
export async function runSupplierSet(name: string, words: readonly string[]): Promise<void> {
  const config = readConfig()
  try {
    const change = readSupplierChange(words)
    const suppliers = await withDatabaseAndKeys(config, async (db, keys) => {
      await writeSupplier(db, keys, name, change, operatorName())
      return (await listSuppliers(db, keys)).filter((supplier) => supplier.name === name)
    })
    printSuppliers(config, suppliers)
  } catch (error) {
    if (error instanceof SupplierChangeError) throw new UsageError(error.message)
    throw error
  }
}
