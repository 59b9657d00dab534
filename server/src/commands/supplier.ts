import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import type { ListedSupplier } from '../suppliers/list-suppliers.ts'
import { UsageError } from './command-error.ts'
import { printResult } from './print-result.ts'

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

function printSuppliers(suppliers: readonly ListedSupplier[]): void {
  printResult(
    { suppliers },
    suppliers.map(describeSupplier).join('\n') || 'There is no supplier yet. Add one with `makola supplier set`.',
  )
}

async function listSuppliersCommand(): Promise<void> {
  const config = readConfig()
  const [{ withDatabase }, { listSuppliers }, { loadSecretsKeys }] = await Promise.all([
    import('./with-database.ts'),
    import('../suppliers/list-suppliers.ts'),
    import('../platform/secrets/load-secrets-keys.ts'),
  ])
  const keys = await loadSecretsKeys(config)
  printSuppliers(await withDatabase(config, (db) => listSuppliers(db, keys)))
}

async function setSupplierCommand(name: string, words: string[]): Promise<void> {
  const config = readConfig()
  const { withDatabase } = await import('./with-database.ts')
  const { listSuppliers } = await import('../suppliers/list-suppliers.ts')
  const { readSupplierChange } = await import('../suppliers/read-supplier-change.ts')
  const { SupplierChangeError, writeSupplier } = await import('../suppliers/write-supplier.ts')
  const { loadSecretsKeys } = await import('../platform/secrets/load-secrets-keys.ts')
  const { nameOperator } = await import('./name-operator.ts')
  try {
    const change = readSupplierChange(words)
    const keys = await loadSecretsKeys(config)
    const suppliers = await withDatabase(config, async (db) => {
      await writeSupplier(db, keys, name, change, nameOperator())
      return (await listSuppliers(db, keys)).filter((supplier) => supplier.name === name)
    })
    printSuppliers(suppliers)
  } catch (error) {
    if (error instanceof SupplierChangeError) throw new UsageError(error.message)
    throw error
  }
}

/** `makola supplier list` and `makola supplier set`: who fulfils orders, and how they are reached. */
export function registerSupplierCommand(program: Command): void {
  const supplier = program.command('supplier').description('the suppliers that fulfil orders')
  supplier
    .command('list')
    .description('list the suppliers, without their secrets')
    .action(() => listSuppliersCommand())
  supplier
    .command('set')
    .description('add or change a supplier; every process follows within a second')
    .argument('<name>', 'its name, such as datamart')
    .argument('<key=value...>', 'what to set')
    .addHelpText(
      'after',
      `
Keys: enabled, base_url, slots, requests_per_second, adapter, credentials.NAME, settings.NAME

Examples:
  makola supplier set datamart base_url=https://api.datamartgh.shop credentials.apiKey=@key.txt credentials.webhookSecret=@secret.txt
  makola supplier set datamart slots=16 requests_per_second=2
  makola supplier set datamart 'settings.networks={"AT-BigTime":"AT_BIGTIME"}'
  makola supplier set datamart enabled=false`,
    )
    .action(setSupplierCommand)
}
