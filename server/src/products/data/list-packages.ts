import { type Purchaser, pricingRole, type Role } from '../../accounts/caller.ts'
import { ghs } from '../../money/pesewas.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import type { Route, Routes } from '../../suppliers/route-ports.ts'
import { findOfferedRoute, sizeOf } from './data.kind.ts'
import { type DataNetwork, dataNetworks } from './data.schemas.ts'
import type { DataPackage, PackageCatalogue } from './package-catalogue.ts'

type ListDeps = {
  readonly packages: () => Promise<PackageCatalogue>
  readonly routes: Pick<Routes, 'rank'>
  readonly epoch: Epoch
}

/** A purchaser's filter. Both fields must match exactly; the network is case-sensitive. */
export type PackageFilter = { readonly network?: DataNetwork; readonly size_gb?: number }

function viewPackage(entry: DataPackage, role: Role) {
  return {
    id: entry.id,
    network: entry.network,
    size: sizeOf(entry.volumeGb),
    volume_gb: entry.volumeGb,
    price: ghs(entry.pricePesewas[role]),
    currency: 'GHS' as const,
  }
}

/** Lists made from one version of the catalogue and of the routes. */
type OfferedPackages = {
  readonly catalogue: PackageCatalogue
  readonly ranks: readonly (readonly Route[])[]
  /** Packages that can be bought now. A package that no supplier can deliver is not listed, because it would be refused. */
  readonly offered: readonly DataPackage[]
  /**
   * Answers for whole networks, by role and network. Answers for single sizes are not cached, because a filter may name any
   * size.
   */
  readonly texts: Map<string, string>
}

function collectOfferedPackages(catalogue: PackageCatalogue, ranks: readonly (readonly Route[])[]): OfferedPackages {
  const rankOf = new Map(dataNetworks.map((network, index) => [network, ranks[index] ?? []]))
  const offered = catalogue.packages.filter(
    (entry) => entry.isAvailable && entry.stock !== 0 && findOfferedRoute(rankOf.get(entry.network) ?? [], entry),
  )
  return { catalogue, ranks, offered, texts: new Map() }
}

/** Lists the packages that a person can buy now, at the person's prices. */
export async function listPackagesFor(deps: ListDeps, purchaser: Purchaser) {
  const ranks = dataNetworks.map((network) => deps.routes.rank('data', network))
  const { offered } = collectOfferedPackages(await deps.packages(), ranks)
  const role = pricingRole(purchaser.role, purchaser.roleExpiresAt, deps.epoch.databaseNow())
  return offered.map((entry) => viewPackage(entry, role))
}

function listAsText({ offered }: OfferedPackages, role: Role, { network, size_gb: size }: PackageFilter): string {
  const packages = offered
    .filter((entry) => (network === undefined || entry.network === network) && (size === undefined || entry.volumeGb === size))
    .map((entry) => viewPackage(entry, role))
  return JSON.stringify({ packages, total: packages.length })
}

/**
 * Makes the lists of packages on sale at the purchaser's prices (contract, GET /packages), from cached data, as the JSON of
 * `data`. The database's clock decides whether a role has expired. All resellers get the same few lists, so each is written
 * once until the catalogue or a route changes.
 */
export function createPackageLists(deps: ListDeps): (purchaser: Purchaser, filter: PackageFilter) => Promise<string> {
  let cached: OfferedPackages | undefined
  return async (purchaser, filter) => {
    const catalogue = await deps.packages()
    const ranks = dataNetworks.map((network) => deps.routes.rank('data', network))
    if (cached?.catalogue !== catalogue || ranks.some((rank, index) => rank !== cached?.ranks[index])) {
      cached = collectOfferedPackages(catalogue, ranks)
    }
    const role = pricingRole(purchaser.role, purchaser.roleExpiresAt, deps.epoch.databaseNow())
    if (filter.size_gb !== undefined) return listAsText(cached, role, filter)
    const key = `${role}/${filter.network ?? ''}`
    const text = cached.texts.get(key) ?? listAsText(cached, role, filter)
    cached.texts.set(key, text)
    return text
  }
}
