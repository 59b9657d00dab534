import { sql } from 'kysely'
import type { Pesewas } from '../../money/pesewas.ts'
import type { Tx } from '../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../platform/database/epoch.ts'
import { newId } from '../../platform/database/new-id.ts'
import { type CodedSupplier, findCodeProblem, readCodedSuppliers } from './find-faulty-codes.ts'
import { findLosses } from './find-losses.ts'
import { raisePriceAlarms } from './raise-price-alarms.ts'
import {
  lockPackages,
  type PackageChange,
  type PackageOffer,
  packageName,
  type StoredOffer,
  type StoredPackage,
} from './stored-packages.ts'

/** A package as the operator wants it. What is left out stays as it is; a new package is available and unlimited. */
export type WantedPackage = {
  readonly network: string
  readonly volumeGb: number
  readonly priceCustomer: Pesewas
  readonly priceAgent: Pesewas
  readonly priceDealer: Pesewas
  readonly isAvailable?: boolean
  /** Null: unlimited. */
  readonly stock?: number | null
  /** By supplier's name; null takes the supplier's offer away. */
  readonly offers: ReadonlyMap<string, PackageOffer | null>
}

/** A wanted package that is not accepted; `index` counts the packages given, from 0. */
export type PackageProblem = { readonly index: number; readonly message: string }

/** An offer that is named again is open again, for whoever names it has looked at it. */
function mergeOffers(stored: StoredPackage | undefined, wanted: WantedPackage): Map<string, StoredOffer> {
  const offers = new Map(stored?.offers)
  for (const [supplier, offer] of wanted.offers) {
    if (offer) offers.set(supplier, { ...offer, closedAt: null, closedBecause: null })
    else offers.delete(supplier)
  }
  return offers
}

function merge(stored: StoredPackage | undefined, wanted: WantedPackage): StoredPackage {
  return {
    id: stored?.id ?? newId(),
    network: wanted.network,
    volumeGb: wanted.volumeGb,
    priceCustomer: wanted.priceCustomer,
    priceAgent: wanted.priceAgent,
    priceDealer: wanted.priceDealer,
    isAvailable: wanted.isAvailable ?? stored?.isAvailable ?? true,
    stock: wanted.stock === undefined ? (stored?.stock ?? null) : wanted.stock,
    offers: mergeOffers(stored, wanted),
  }
}

function isSame(a: StoredPackage, b: StoredPackage): boolean {
  const text = (stored: StoredPackage) =>
    JSON.stringify({ ...stored, offers: [...stored.offers].toSorted(([left], [right]) => (left < right ? -1 : 1)) })
  return text(a) === text(b)
}

async function findUnknownNames(
  tx: Tx,
  wanted: readonly WantedPackage[],
  suppliers: readonly CodedSupplier[],
): Promise<PackageProblem[]> {
  const networks = await tx.selectFrom('networks').select('name').where('product', '=', 'data').orderBy('position').execute()
  const networkNames = networks.map((network) => network.name)
  const supplierNames = suppliers.map((supplier) => supplier.name)
  return wanted.flatMap(({ network, offers }, index) => [
    ...(networkNames.includes(network)
      ? []
      : [{ index, message: `network ${JSON.stringify(network)} is not one of ${networkNames.join(', ')}` }]),
    ...[...offers.keys()]
      .filter((supplier) => !supplierNames.includes(supplier))
      .map((supplier) => ({ index, message: `there is no supplier ${supplier}; known: ${supplierNames.join(', ') || 'none'}` })),
  ])
}

/** Codes that their suppliers would refuse, or take for another bundle. */
function findWrongCodes(wanted: readonly WantedPackage[], suppliers: readonly CodedSupplier[]): PackageProblem[] {
  return wanted.flatMap((want, index) =>
    suppliers.flatMap((supplier) => {
      const offer = want.offers.get(supplier.name)
      const problem = offer ? findCodeProblem(supplier, { ...want, packageCode: offer.code }) : undefined
      return problem === undefined ? [] : [{ index, message: `${packageName(want)} at ${supplier.name}: ${problem}` }]
    }),
  )
}

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

/**
 * Brings packages to what is wanted and raises the catalogue's version, so that orders already priced
 * are priced anew. An offer that was closed and is named here is open again. All or nothing: with a problem, nothing
 * is written.
 *
 * @param options.isBelowCostAllowed sells at a loss where the operator insists
 * @returns how many packages changed and how many were as wanted already, and what stood in the way
 */
export async function writePackages(
  tx: Tx,
  wanted: readonly WantedPackage[],
  options: { isBelowCostAllowed: boolean },
): Promise<{ changed: number; unchanged: number; problems: PackageProblem[] }> {
  // Sales and refunds of limited packages lock the packages first and then the version, so this does too.
  await lockPackages(tx)
  // The row's lock makes two writers of the catalogue go one after the other; what is read after it is the last word.
  await raiseCatalogueVersion(tx)
  const suppliers = await readCodedSuppliers(tx)
  const faults = [...(await findUnknownNames(tx, wanted, suppliers)), ...findWrongCodes(wanted, suppliers)]
  if (faults.length > 0) return { changed: 0, unchanged: 0, problems: faults.toSorted((a, b) => a.index - b.index) }
  const storedByName = await lockPackages(tx)
  const changes = wanted.map((want, index): PackageChange => {
    const stored = storedByName.get(packageName(want))
    return { index, stored, next: merge(stored, want) }
  })
  const problems = changes.flatMap(({ index, next }) => {
    const [loss] = options.isBelowCostAllowed ? [] : findLosses(next)
    return loss === undefined ? [] : [{ index, message: loss.message }]
  })
  if (problems.length > 0) return { changed: 0, unchanged: 0, problems }
  const needed = changes.filter(({ stored, next }) => !stored || !isSame(stored, next))
  if (needed.length > 0) await writeChanges(tx, needed)
  await raisePriceAlarms(tx, needed)
  return { changed: needed.length, unchanged: changes.length - needed.length, problems: [] }
}
