import type { CostExpectation } from '../../../money/expected-cost.ts'
import { pesewas } from '../../../money/pesewas.ts'
import { readManyDetails } from '../../../orders/create-details-reader.ts'
import { readDataDetails, titleOfBundle } from '../data.kind.ts'
import { selectOffers } from './select-offers.ts'

/** The expected cost of bundles: the supplier's present offer; none without an offer. */
export const dataCostExpectation: CostExpectation = {
  kind: 'data',
  async expect(db, supplier, orders) {
    const details = readManyDetails(orders, readDataDetails)
    if (details.size === 0) return new Map()
    const offers = await selectOffers(db, details.values().map(titleOfBundle)).where('supplier', '=', supplier).execute()
    const costs = new Map(offers.map(({ title, cost }) => [title, pesewas(cost)]))
    return new Map(
      [...details].map(([{ orderId }, bundle]) => [
        orderId,
        { costPesewas: costs.get(titleOfBundle(bundle)) ?? null, commissionPesewas: null },
      ]),
    )
  },
}
