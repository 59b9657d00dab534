import type { Pesewas } from '../../../money/pesewas.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { ListedPackage } from '../../../suppliers/ports.ts'
import { type ListedOffer, listOffers } from '../offers/list-offers.ts'

/** One size on one network, by the supplier's list and by ours. Amounts in pesewas. */
export type ComparedPackage = {
  readonly network: string
  readonly volumeGb: number
  /** `not_ours`: on the list, but we do not buy it there. `not_theirs`: we buy it there, but it is not on the list. */
  readonly result: 'same' | 'cost_differs' | 'code_differs' | 'not_ours' | 'not_theirs'
  readonly codeTheirs: string | null
  readonly codeOurs: string | null
  readonly costTheirs: Pesewas | null
  readonly costOurs: Pesewas | null
  /** True when our offer is closed, so nothing is bought through it. */
  readonly isClosed: boolean
}

const keyOf = ({ network, volumeGb }: { readonly network: string; readonly volumeGb: number }) => `${network}/${volumeGb}`

function compareOne(listed: ListedPackage, ours: ListedOffer | undefined): ComparedPackage {
  const { network, volumeGb, code, costPesewas } = listed
  const theirs = { network, volumeGb, codeTheirs: code, costTheirs: costPesewas }
  if (!ours) return { ...theirs, result: 'not_ours', codeOurs: null, costOurs: null, isClosed: false }
  const sameCost = ours.costPesewas === costPesewas ? 'same' : 'cost_differs'
  const result = ours.code === code ? sameCost : 'code_differs'
  return { ...theirs, result, codeOurs: ours.code, costOurs: ours.costPesewas, isClosed: ours.closedAt !== null }
}

/** Compares a supplier's own list with our offers, differences first. */
export async function compareSupplierList(
  db: Db,
  supplier: string,
  listed: readonly ListedPackage[],
): Promise<ComparedPackage[]> {
  const ours = new Map(
    (await listOffers(db)).filter((offer) => offer.supplier === supplier).map((offer) => [keyOf(offer), offer]),
  )
  const compared = listed.map((each) => compareOne(each, ours.get(keyOf(each))))
  const known = new Set(listed.map(keyOf))
  const missing = [...ours]
    .filter(([key]) => !known.has(key))
    .map(
      ([, { network, volumeGb, code, costPesewas, closedAt }]): ComparedPackage => ({
        network,
        volumeGb,
        result: 'not_theirs',
        codeTheirs: null,
        codeOurs: code,
        costTheirs: null,
        costOurs: costPesewas,
        isClosed: closedAt !== null,
      }),
    )
  const order: readonly ComparedPackage['result'][] = ['code_differs', 'cost_differs', 'not_theirs', 'not_ours', 'same']
  return [...compared, ...missing].toSorted(
    (one, other) =>
      order.indexOf(one.result) - order.indexOf(other.result) ||
      one.network.localeCompare(other.network) ||
      one.volumeGb - other.volumeGb,
  )
}
