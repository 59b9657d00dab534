import { gatewayAdapters } from './gateways/gateway-adapters.ts'
import type { CostSubject } from './orders/costs/cost-subject.ts'
import { products } from './products/products.ts'

/** Payment gateways keep a part of each payment. */
const gatewayFees: CostSubject = {
  product: 'top_ups',
  title: 'Top-ups through payment gateways',
  unit: 'top-up',
  takesPercent: true,
  listKeys: () => Promise.resolve(gatewayAdapters.map(({ name }) => ({ key: name, title: name, since: null }))),
}

/** All costs that no supplier reports, so that people enter them. */
export const allCostSubjects: readonly CostSubject[] = [...products.flatMap(({ unitCost }) => unitCost ?? []), gatewayFees]
