import type { Pesewas } from '../../../money/pesewas.ts'
import type { Db } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { mapInPieces } from '../../../platform/in-pieces.ts'
import { type PackageChange, type PackageOffer, packageName, type StoredOffer, type StoredPackage } from '../stored-packages.ts'
import { type CodedSupplier, findCodeProblem, readCodedSuppliers } from './find-faulty-codes.ts'
import { findLosses } from './find-losses.ts'

/**
 * A package as the operator wants it. Absent fields keep their values. A new package without them is available and unlimited.
 */
export type WantedPackage = {
  readonly network: string
  readonly volumeGb: number
  readonly priceCustomer: Pesewas
  readonly priceAgent: Pesewas
  readonly priceDealer: Pesewas
  readonly isAvailable?: boolean
  /** Null: unlimited. */
  readonly stock?: number | null
  /** The offers, by the supplier's name. Null removes the supplier's offer. */
  readonly offers: ReadonlyMap<string, PackageOffer | null>
}

/** A wanted package that is not accepted; `index` counts the packages given, from 0. */
export type PackageProblem = { readonly index: number; readonly message: string }

/** Merges offers. A closed offer in `wanted` is opened, because a person has just checked it. */
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

export function isUnchanged({ stored, next }: PackageChange): boolean {
  return stored !== undefined && isSame(stored, next)
}

export async function leaveOutUnchanged(changes: readonly PackageChange[]): Promise<PackageChange[]> {
  const needed = await mapInPieces(changes, (change) => (isUnchanged(change) ? [] : [change]))
  return needed.flat()
}

function isSame(a: StoredPackage, b: StoredPackage): boolean {
  const text = (stored: StoredPackage) =>
    JSON.stringify({ ...stored, offers: [...stored.offers].toSorted(([left], [right]) => (left < right ? -1 : 1)) })
  return text(a) === text(b)
}

async function findUnknownNames(
  db: Db,
  wanted: readonly WantedPackage[],
  suppliers: readonly CodedSupplier[],
): Promise<PackageProblem[]> {
  const networks = await db.selectFrom('networks').select('name').where('product', '=', 'data').orderBy('position').execute()
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

/** Finds codes that their suppliers would refuse, or read as another bundle. */
async function findWrongCodes(wanted: readonly WantedPackage[], suppliers: readonly CodedSupplier[]): Promise<PackageProblem[]> {
  const found = await mapInPieces(wanted, (want, index) =>
    suppliers.flatMap((supplier) => {
      const offer = want.offers.get(supplier.name)
      const problem = offer ? findCodeProblem(supplier, { ...want, packageCode: offer.code }) : undefined
      return problem === undefined ? [] : [{ index, message: `${packageName(want)} at ${supplier.name}: ${problem}` }]
    }),
  )
  return found.flat()
}

/** Changes that a price list would make: each package before and after, and the problems. */
export type PackagePlan = { readonly changes: readonly PackageChange[]; readonly problems: readonly PackageProblem[] }

/**
 * Compares the wanted packages with the stored ones, and decides on each. Changes nothing.
 * @param options.isBelowCostAllowed true: a price below a supplier's cost is no problem, because the operator insists on it
 */
export async function planPackages(
  db: Db,
  wanted: readonly WantedPackage[],
  storedByName: ReadonlyMap<string, StoredPackage>,
  options: { isBelowCostAllowed: boolean },
): Promise<PackagePlan> {
  const suppliers = await readCodedSuppliers(db)
  const faults = [...(await findUnknownNames(db, wanted, suppliers)), ...(await findWrongCodes(wanted, suppliers))]
  if (faults.length > 0) return { changes: [], problems: faults.toSorted((a, b) => a.index - b.index) }
  const changes = await mapInPieces(wanted, (want, index): PackageChange => {
    const stored = storedByName.get(packageName(want))
    return { index, stored, next: merge(stored, want) }
  })
  const problems = await mapInPieces(changes, ({ index, next }) => {
    const [loss] = options.isBelowCostAllowed ? [] : findLosses(next)
    return loss === undefined ? [] : [{ index, message: loss.message }]
  })
  return { changes, problems: problems.flat() }
}
