import type { CostExpectation } from '../../money/expected-cost.ts'
import { pesewas } from '../../money/pesewas.ts'
import { readDataDetails } from './data.kind.ts'

/** The expected cost of bundles: the supplier's present offer. Without an offer there is no expected cost. */
export const dataCostExpectation: CostExpectation = {
  kind: 'data',
  async expect(db, supplier, orders) {
    const packageIdOf = (order: (typeof orders)[number]) => readDataDetails(order).packageId
    const offers = await db
      .selectFrom('package_offers')
      .select(['package_id', 'cost'])
      .where('supplier', '=', supplier)
      .where('package_id', 'in', [...new Set(orders.map(packageIdOf))])
      .execute()
    const costs = new Map(offers.map((offer) => [offer.package_id, pesewas(offer.cost)]))
    return new Map(
      orders.map((order) => [order.orderId, { costPesewas: costs.get(packageIdOf(order)) ?? null, commissionPesewas: null }]),
    )
  },
}
