import { readConfig } from '../config.ts'
import { formatGhs } from '../money/pesewas.ts'
import { watchEpoch } from '../platform/database/epoch.ts'
import { loadSecretsKeys } from '../platform/secrets/load-secrets-keys.ts'
import { type PackageListAnswer, sellsData } from '../suppliers/ports.ts'
import { loadSuppliers } from '../suppliers/registry/load-suppliers.ts'
import { CommandError } from './frame/command-error.ts'
import { printResult } from './frame/print-result.ts'
import { withDatabase } from './frame/with-database.ts'

const readSeconds = 30
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

function readPackages(name: string): Promise<PackageListAnswer> {
  const config = readConfig()
  return withDatabase(config, async (db) => {
    const epoch = await watchEpoch(db)
    const registry = await loadSuppliers({ db, epoch, log: silent, config, secretsKeys: await loadSecretsKeys(config) })
    try {
      const supplier = registry.find(name)
      if (!supplier) throw new CommandError(`There is no supplier "${name}" that can be used as it is configured.`)
      if (!sellsData(supplier) || !supplier.listPackages) throw new CommandError(`${name} has no price list that can be read.`)
      return await supplier.listPackages(AbortSignal.timeout(readSeconds * 1_000))
    } finally {
      await registry.stop()
      epoch.stop()
    }
  })
}

/** `makola supplier packages`: what a supplier sells by its own list, in the codes that `packages import` takes. */
export async function runSupplierPackages(name: string): Promise<void> {
  const answer = await readPackages(name)
  if (answer.meaning === 'unknown') throw new CommandError(`${name} did not show its price list: ${answer.evidence}`)
  const packages = answer.packages.map(({ network, volumeGb, code, costPesewas }) => ({
    network,
    volume_gb: volumeGb,
    code,
    cost: costPesewas / 100,
  }))
  const lines = answer.packages.map(
    ({ network, volumeGb, code, costPesewas }) => `${network}  ${volumeGb} GB  code ${code}  ${formatGhs(costPesewas)}`,
  )
  printResult({ packages }, lines.join('\n') || `${name} lists no package of a network it has a word for.`)
}
