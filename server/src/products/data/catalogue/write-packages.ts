import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../../platform/database/epoch.ts'
import { fingerprintChanges, PackagesChangedError } from '../history/fingerprint-changes.ts'
import { type PackageAct, recordPackageChanges } from '../history/package-history.ts'
import { lockPackages, type PackageChange } from '../stored-packages.ts'
import { leaveOutUnchanged, type PackageProblem, planPackages, type WantedPackage } from './plan-packages.ts'
import { raisePriceAlarms } from './raise-price-alarms.ts'

export type { PackageProblem, WantedPackage } from './plan-packages.ts'

async function writeChanges(tx: Tx, changes: readonly PackageChange[]): Promise<void> {
  const rows = changes.map(({ next }) => ({
    id: next.id,
    network: next.network,
    volume_gb: next.volumeGb,
    price_customer: next.priceCustomer,
    price_agent: next.priceAgent,
    price_dealer: next.priceDealer,
    is_available: next.isAvailable,
    stock: next.stock,
  }))
  await sql`
    insert into packages (id, network, volume_gb, price_customer, price_agent, price_dealer, is_available, stock)
    select id, network, volume_gb, price_customer, price_agent, price_dealer, is_available, stock
    from jsonb_populate_recordset(null::packages, ${JSON.stringify(rows)}::jsonb)
    on conflict (id) do update set
      price_customer = excluded.price_customer, price_agent = excluded.price_agent, price_dealer = excluded.price_dealer,
      is_available = excluded.is_available, stock = excluded.stock`.execute(tx)
  const offers = changes.flatMap(({ next }) =>
    [...next.offers].map(([supplier, offer]) => ({
      package_id: next.id,
      supplier,
      code: offer.code,
      cost: offer.costPesewas,
      closed_at: offer.closedAt,
      closed_because: offer.closedBecause,
    })),
  )
  await sql`delete from package_offers where package_id = any(${rows.map((row) => row.id)}::uuid[])`.execute(tx)
  await sql`
    insert into package_offers (package_id, supplier, code, cost, closed_at, closed_because)
    select package_id, supplier, code, cost, closed_at, closed_because
    from jsonb_populate_recordset(null::package_offers, ${JSON.stringify(offers)}::jsonb)`.execute(tx)
}

export type WriteOptions = {
  /** Accepts prices below a supplier's cost, because the operator insists. */
  readonly isBelowCostAllowed: boolean
  /** The author of the change. Absent when no person makes it, as when a new installation is filled. */
  readonly act?: PackageAct
  /** Fingerprint of the changes that the person was shown. If they differ, nothing is written. */
  readonly seen?: string
}

/**
 * Writes the wanted packages, all or none, and raises the catalogue's version, so that orders prepared with older prices are
 * decided with the new ones. Opens the closed offers that `wanted` names.
 * @returns how many packages changed and how many were unchanged, and the problems
 * @throws PackagesChangedError when the changes are not those that the person was shown
 */
export async function writePackages(
  tx: Tx,
  wanted: readonly WantedPackage[],
  options: WriteOptions,
): Promise<{ changed: number; unchanged: number; problems: readonly PackageProblem[] }> {
  // Sales and refunds of limited packages lock the packages first and then the version, so this does too.
  await lockPackages(tx)
  // The lock of this row serialises writers of the catalogue, so later reads see the newest state.
  await raiseCatalogueVersion(tx)
  const { changes, problems } = await planPackages(tx, wanted, await lockPackages(tx), options)
  if (problems.length > 0) return { changed: 0, unchanged: 0, problems }
  const needed = await leaveOutUnchanged(changes)
  if (options.seen !== undefined && options.seen !== (await fingerprintChanges(needed))) throw new PackagesChangedError()
  if (needed.length > 0) await writeChanges(tx, needed)
  await raisePriceAlarms(tx, needed)
  if (options.act && needed.length > 0) await recordPackageChanges(tx, needed, options.act)
  return { changed: needed.length, unchanged: changes.length - needed.length, problems: [] }
}
