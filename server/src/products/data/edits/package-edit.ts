import type { Role } from '../../../accounts/caller.ts'
import type { Pesewas } from '../../../money/pesewas.ts'
import { OperatorRequestError } from '../../../platform/operator-request-error.ts'
import type { WantedPackage } from '../catalogue/plan-packages.ts'
import { type PackageOffer, packageName, type StoredPackage } from '../stored-packages.ts'
import { type PriceShift, shiftPrice } from './shift-prices.ts'

/** Changes of one package; absent fields stay. A new package needs its three prices. */
export type CellsEdit = {
  readonly network: string
  readonly volumeGb: number
  readonly prices: Readonly<Partial<Record<Role, Pesewas>>>
  readonly isAvailable?: boolean
  /** Null: unlimited. */
  readonly stock?: number | null
  /** The offers, by the supplier's name. Null removes the supplier's offer. */
  readonly offers: ReadonlyMap<string, PackageOffer | null>
}

export type PackageEdit =
  | { readonly kind: 'cells'; readonly packages: readonly CellsEdit[] }
  | {
      readonly kind: 'shift'
      /** The ids of chosen packages, or one network, or all packages. */
      readonly of: { readonly packageIds: ReadonlySet<string> } | { readonly network: string } | 'all'
      readonly roles: readonly Role[]
      readonly shift: PriceShift
    }
  | { readonly kind: 'file'; readonly rows: readonly { readonly line: number; readonly wanted: WantedPackage }[] }

/** The message lists at most this many problems, because nobody reads more. */
const problemsShownMax = 20

/** An invalid change of the price list. The message names the packages and their faults. */
export class PackageEditError extends OperatorRequestError {
  override readonly name = 'PackageEditError'
  constructor(problems: readonly string[]) {
    const shown = problems.slice(0, problemsShownMax)
    const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : []
    super(`Nothing was changed. ${[...shown, ...more].join('; ')}.`)
  }
}

const pricesOf = (stored: StoredPackage): Record<Role, Pesewas> => ({
  customer: stored.priceCustomer as Pesewas,
  agent: stored.priceAgent as Pesewas,
  dealer: stored.priceDealer as Pesewas,
})

const withPrices = (prices: Record<Role, Pesewas>) => ({
  priceCustomer: prices.customer,
  priceAgent: prices.agent,
  priceDealer: prices.dealer,
})

/** @throws PackageEditError when a new package lacks a price, or one is named twice */
function wantedPackagesOfCells(cells: readonly CellsEdit[], stored: ReadonlyMap<string, StoredPackage>): WantedPackage[] {
  const problems: string[] = []
  const names = new Set<string>()
  const wanted = cells.flatMap(({ network, volumeGb, prices, isAvailable, stock, offers }) => {
    const name = packageName({ network, volumeGb })
    if (names.has(name)) problems.push(`${name} is named twice`)
    names.add(name)
    const known = stored.get(name)
    const { customer, agent, dealer } = { ...(known && pricesOf(known)), ...prices }
    if (customer === undefined || agent === undefined || dealer === undefined) {
      problems.push(`${name} is new, so it needs a price for customers, agents and dealers`)
      return []
    }
    return {
      network,
      volumeGb,
      ...withPrices({ customer, agent, dealer }),
      ...(isAvailable !== undefined && { isAvailable }),
      ...(stock !== undefined && { stock }),
      offers,
    }
  })
  if (problems.length > 0) throw new PackageEditError(problems)
  return wanted
}

type ShiftEdit = Extract<PackageEdit, { kind: 'shift' }>

function isChosen({ of }: ShiftEdit, { id, network }: StoredPackage): boolean {
  if (of === 'all') return true
  return 'network' in of ? of.network === network : of.packageIds.has(id)
}

/** @throws PackageEditError when no package is chosen, or a price would be 0 or below */
function wantedPackagesOfShift(edit: ShiftEdit, stored: ReadonlyMap<string, StoredPackage>): WantedPackage[] {
  const chosen = [...stored.values()].filter((each) => isChosen(edit, each))
  if (chosen.length === 0) throw new PackageEditError(['no package is chosen'])
  const problems: string[] = []
  const wanted = chosen.map((each): WantedPackage => {
    const prices = pricesOf(each)
    for (const role of edit.roles) {
      prices[role] = shiftPrice(prices[role], edit.shift)
      if (prices[role] <= 0) problems.push(`${packageName(each)}: the ${role} price would be 0 or below`)
    }
    return { network: each.network, volumeGb: each.volumeGb, ...withPrices(prices), offers: new Map() }
  })
  if (problems.length > 0) throw new PackageEditError(problems)
  return wanted
}

/** Calculates the packages after an edit from the stored packages. @throws PackageEditError when the edit does not fit them */
export function wantedPackagesOf(edit: PackageEdit, stored: ReadonlyMap<string, StoredPackage>): WantedPackage[] {
  if (edit.kind === 'cells') return wantedPackagesOfCells(edit.packages, stored)
  if (edit.kind === 'shift') return wantedPackagesOfShift(edit, stored)
  return edit.rows.map(({ wanted }) => wanted)
}
