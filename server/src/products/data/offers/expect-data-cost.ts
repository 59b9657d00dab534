import type { CostExpectation } from '../../../money/expected-cost.ts'
import { pesewas } from '../../../money/pesewas.ts'
import { readManyDetails } from '../../../orders/create-details-reader.ts'
import { readDataDetails } from '../data.kind.ts'

/** The expected cost of bundles: the supplier's present offer; none without an offer. */
export const dataCostExpectation: CostExpectation = {
  kind: 'data',
  async expect(db, supplier, orders) {
    const details = readManyDetails(orders, readDataDetails)
    if (details.size === 0) return new Map()
    const offers = await db
      .selectFrom('package_offers')
      .select(['package_id', 'cost'])
      .where('supplier', '=', supplier)
      .where('package_id', 'in', [...new Set([...details.values()].map(({ packageId }) => packageId))])
      .execute()
    const costs = new Map(offers.map((offer) => [offer.package_id, pesewas(offer.cost)]))
    return new Map(
      [...details].map(([{ orderId }, { packageId }]) => [
        orderId,
        { costPesewas: costs.get(packageId) ?? null, commissionPesewas: null },
      ]),
    )
  },
}
