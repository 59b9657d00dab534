import { sql } from 'kysely'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db, Tx } from '../../platform/database/database.ts'

export type PackageOffer = { readonly code: string; readonly costPesewas: Pesewas }

/** A stored offer. It is closed when its supplier refused our request for it: see `closeOffer`. */
export type StoredOffer = PackageOffer & { readonly closedAt: Date | null; readonly closedBecause: string | null }

export type StoredPackage = {
  readonly id: string
  readonly network: string
  readonly volumeGb: number
  readonly priceCustomer: number
  readonly priceAgent: number
  readonly priceDealer: number
  readonly isAvailable: boolean
  readonly stock: number | null
  readonly offers: ReadonlyMap<string, StoredOffer>
}

/** A package before and after a change. `index` counts the wanted packages from 0. */
export type PackageChange = { readonly index: number; readonly stored: StoredPackage | undefined; readonly next: StoredPackage }

/** The name of a package, such as `MTN 1GB`. */
export const packageName = (wanted: { network: string; volumeGb: number }) => `${wanted.network} ${wanted.volumeGb}GB`

/** Locks all packages in the order of their ids, as sales of packages with a stock do, and reads them. */
export async function lockPackages(tx: Tx): Promise<Map<string, StoredPackage>> {
  await tx.selectFrom('packages').select('id').orderBy('id').forUpdate().execute()
  return readPackages(tx)
}

export async function readPackages(db: Db): Promise<Map<string, StoredPackage>> {
  const packages = await db
    .selectFrom('packages')
    .select([
      'id',
      'network',
      sql<number>`volume_gb::float8`.as('volumeGb'),
      'price_customer as priceCustomer',
      'price_agent as priceAgent',
      'price_dealer as priceDealer',
      'is_available as isAvailable',
      'stock',
    ])
    .execute()
  const offers = Map.groupBy(await db.selectFrom('package_offers').selectAll().execute(), (offer) => offer.package_id)
  return new Map(
    packages.map((stored) => [
      packageName(stored),
      {
        ...stored,
        offers: new Map(
          (offers.get(stored.id) ?? []).map((offer) => [
            offer.supplier,
            {
              code: offer.code,
              costPesewas: offer.cost as Pesewas,
              closedAt: offer.closed_at,
              closedBecause: offer.closed_because,
            },
          ]),
        ),
      },
    ]),
  )
}

/** Lists the prices of each package for each role, by network and size. */
export async function listPackagePrices(db: Db) {
  const packages = [...(await readPackages(db)).values()].toSorted(
    (one, other) => one.network.localeCompare(other.network) || one.volumeGb - other.volumeGb,
  )
  return packages.map((stored) => ({
    name: packageName(stored),
    prices: {
      customer: pesewas(stored.priceCustomer),
      agent: pesewas(stored.priceAgent),
      dealer: pesewas(stored.priceDealer),
    },
  }))
}
