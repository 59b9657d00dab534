import { sql } from 'kysely'
import type { Role } from '../../accounts/caller.ts'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { cachedByEpoch, type Epoch } from '../../platform/database/epoch.ts'
import type { DataNetwork } from './data.schemas.ts'

/** A data bundle of the price list, on sale or not. */
export type DataPackage = {
  readonly id: string
  readonly network: DataNetwork
  readonly volumeGb: number
  readonly pricePesewas: Readonly<Record<Role, Pesewas>>
  readonly isAvailable: boolean
  /** How many are left to sell, as cached; the intake reads it again under a lock. Null: unlimited. */
  readonly stock: number | null
  /** Suppliers with an open offer of the package. */
  readonly suppliers: ReadonlySet<string>
}

export type PackageCatalogue = {
  readonly version: number
  /** Sorted by network and size. */
  readonly packages: readonly DataPackage[]
  readonly byNetworkAndVolume: ReadonlyMap<string, DataPackage>
}

/** The key of `byNetworkAndVolume`. Numbers are compared by value. */
export function packageKey(network: string, volumeGb: number): string {
  return `${network}/${volumeGb}`
}

export async function readPackageCatalogue(db: Db): Promise<PackageCatalogue> {
  const { rows } = await sql<{
    version: number
    id: string | null
    network: DataNetwork
    volume_gb: number
    price_customer: number
    price_agent: number
    price_dealer: number
    is_available: boolean
    stock: number | null
    suppliers: string[]
  }>`
    select cache_epoch.catalogue_version as version, packages.id, packages.network, volume_gb::float8 as volume_gb,
      price_customer, price_agent, price_dealer, is_available, stock,
      array(select supplier from package_offers where package_offers.package_id = packages.id and closed_at is null) as suppliers
    from cache_epoch
    left join packages on true
    left join networks on networks.product = 'data' and networks.name = packages.network
    order by networks.position, packages.volume_gb`.execute(db)
  const packages = rows.flatMap(({ id, ...row }) =>
    id === null
      ? []
      : {
          id,
          network: row.network,
          volumeGb: row.volume_gb,
          pricePesewas: {
            customer: pesewas(row.price_customer),
            agent: pesewas(row.price_agent),
            dealer: pesewas(row.price_dealer),
          },
          isAvailable: row.is_available,
          stock: row.stock,
          suppliers: new Set(row.suppliers),
        },
  )
  return {
    version: rows[0]?.version ?? 0,
    packages,
    byNetworkAndVolume: new Map(packages.map((entry) => [packageKey(entry.network, entry.volumeGb), entry])),
  }
}

/** Serves the catalogue from this process's cache until the epoch changes. */
export function createPackageCatalogue(db: Db, epoch: Epoch): () => Promise<PackageCatalogue> {
  const load = cachedByEpoch(epoch, () => readPackageCatalogue(db))
  return () => load('')
}
