import { type Caller, pricingRole } from '../../accounts/caller.ts'
import { ghs } from '../../money/pesewas.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import type { Routes } from '../../suppliers/ports.ts'
import { sizeOf } from './data.kind.ts'
import type { DataNetwork } from './data.schemas.ts'
import { findOfferedRoute } from './find-offered-route.ts'
import type { PackageCatalogue } from './package-catalogue.ts'

/**
 * Lists what can be bought now at the caller's prices (contract, GET /packages), from memory. The
 * role is the one the database's clock says is in force.
 */
export async function listPackages(
  deps: {
    readonly packages: () => Promise<PackageCatalogue>
    readonly routes: Pick<Routes, 'rank'>
    readonly epoch: Epoch
  },
  caller: Caller,
  filter: { network?: DataNetwork; size_gb?: number },
) {
  const catalogue = await deps.packages()
  const role = pricingRole(caller.role, caller.roleExpiresAt, deps.epoch.databaseNow())
  const packages = catalogue.packages
    .filter((entry) => entry.isAvailable && entry.stock !== 0)
    // What nobody can deliver would be refused, so it is not offered.
    .filter((entry) => findOfferedRoute(deps.routes.rank('data', entry.network), entry) !== undefined)
    .filter((entry) => filter.network === undefined || entry.network === filter.network)
    .filter((entry) => filter.size_gb === undefined || entry.volumeGb === filter.size_gb)
    .map((entry) => ({
      id: entry.id,
      network: entry.network,
      size: sizeOf(entry.volumeGb),
      volume_gb: entry.volumeGb,
      price: ghs(entry.pricePesewas[role]),
      currency: 'GHS' as const,
    }))
  return { packages, total: packages.length }
}
