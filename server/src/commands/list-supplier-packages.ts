import { readConfig } from '../config.ts'
import { formatGhs } from '../money/pesewas.ts'
import { watchEpoch } from '../platform/database/epoch.ts'
import { loadSecretsKeys } from '../platform/secrets/load-secrets-keys.ts'
import type { ListedPackage } from '../suppliers/ports.ts'
import { loadSuppliers } from '../suppliers/registry/load-suppliers.ts'
import { readPackageList } from '../suppliers/registry/read-package-list.ts'
import { printResult } from './frame/print-result.ts'
import { withDatabase } from './frame/with-database.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

function readPackages(name: string): Promise<readonly ListedPackage[]> {
  const config = readConfig()
  return withDatabase(config, async (db) => {
    const epoch = await watchEpoch(db)
    const registry = await loadSuppliers({ db, epoch, log: silent, config, secretsKeys: await loadSecretsKeys(config) })
    try {
      return await readPackageList(registry, name)
    } finally {
      await registry.stop()
      epoch.stop()
    }
  })
}

/** Lists what a supplier sells, in the codes that `packages import` takes. */
export async function runSupplierPackages(name: string): Promise<void> {
  const listed = await readPackages(name)
  const packages = listed.map(({ network, volumeGb, code, costPesewas }) => ({
    network,
    volume_gb: volumeGb,
    code,
    cost: costPesewas / 100,
  }))
  const lines = listed.map(
    ({ network, volumeGb, code, costPesewas }) => `${network}  ${volumeGb} GB  code ${code}  ${formatGhs(costPesewas)}`,
  )
  printResult({ packages }, lines.join('\n') || `${name} lists no package of a network it has a word for.`)
}
