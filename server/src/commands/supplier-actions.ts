import { type Config, readConfig } from '../config.ts'
import { describeLoosening } from '../guards/loosening.ts'
import type { Db } from '../platform/database/database.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { findFaultyCodes } from '../products/data/catalogue/find-faulty-codes.ts'
import { changeSupplier } from '../suppliers/registry/change-supplier.ts'
import { type ListedSupplier, listSuppliers } from '../suppliers/registry/list-suppliers.ts'
import { readSupplierChange } from '../suppliers/registry/read-supplier-change.ts'
import { SupplierChangeError } from '../suppliers/registry/write-supplier.ts'
import { UsageError } from './frame/command-error.ts'
import { personOf } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { checkText } from './frame/read-options.ts'
import { withDatabaseAndKeys } from './frame/with-database.ts'

function describeSupplier(supplier: CodedSupplier): string {
  const lines = [
    `${supplier.name} (${supplier.adapter}): ${supplier.enabled ? 'enabled' : 'disabled'}`,
    `  address       ${supplier.base_url ?? 'not set'}`,
    `  pace          ${supplier.slots} at once, ${supplier.requests_per_second ?? 'any number of'} requests per second`,
    `  credentials   set: ${supplier.credentials_set.join(', ') || 'none'}; missing: ${supplier.credentials_missing.join(', ') || 'none'}`,
    `  settings      ${JSON.stringify(supplier.settings)}`,
    `  float         ${supplier.float === null ? 'not read yet' : `GHS ${supplier.float.toFixed(2)} at ${supplier.float_read_at}`}`,
    ...supplier.faulty_codes.map(
      ({ network, volume_gb, problem }) =>
        `  WRONG CODE    ${network} ${volume_gb}GB: ${problem}; correct it with \`makola packages import\``,
    ),
  ]
  return lines.join('\n')
}

const simulatedNote =
  'SUPPLIERS=simulator: all of them are at the simulator, with its own credentials. The rows are used with SUPPLIERS=live.'

type CodedSupplier = ListedSupplier & {
  readonly faulty_codes: readonly { network: string; volume_gb: number; code: string; problem: string }[]
}

/** Checks the codes of packages too, because a change of a supplier's settings can make them wrong. */
async function listWithCodes(db: Db, keys: SecretsKeys): Promise<CodedSupplier[]> {
  const coded: CodedSupplier[] = []
  for (const supplier of await listSuppliers(db, keys)) {
    const faulty = await findFaultyCodes(db, supplier.name)
    const faulty_codes = faulty.map(({ network, volumeGb, code, problem }) => ({ network, volume_gb: volumeGb, code, problem }))
    coded.push({ ...supplier, faulty_codes })
  }
  return coded
}

function printSuppliers(config: Config, suppliers: readonly CodedSupplier[], approvalId?: string): void {
  const waits = approvalId === undefined ? [] : [describeLoosening(approvalId)]
  const text =
    [...suppliers.map(describeSupplier), ...waits].join('\n') || 'There is no supplier yet. Add one with `makola supplier set`.'
  const proposed = approvalId === undefined ? {} : { approval_id: approvalId, status: 'pending' }
  printResult({ suppliers, ...proposed }, config.suppliers === 'simulator' ? `${text}\n${simulatedNote}` : text)
}

export async function runSupplierList(): Promise<void> {
  const config = readConfig()
  printSuppliers(config, await withDatabaseAndKeys(config, listWithCodes))
}

export async function runSupplierSet(name: string, words: readonly string[], options: { by?: string }): Promise<void> {
  checkText('--by', options.by)
  const config = readConfig()
  try {
    const change = readSupplierChange(words)
    const { suppliers, changed } = await withDatabaseAndKeys(config, async (db, keys) => ({
      changed: await changeSupplier(db, keys, { name, change, person: personOf(options.by) }),
      suppliers: (await listWithCodes(db, keys)).filter((supplier) => supplier.name === name),
    }))
    printSuppliers(config, suppliers, changed.state === 'done' ? undefined : changed.approvalId)
  } catch (error) {
    if (error instanceof SupplierChangeError) throw new UsageError(error.message)
    throw error
  }
}
