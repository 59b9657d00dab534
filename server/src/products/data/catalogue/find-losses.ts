import { formatGhs, type Pesewas } from '../../../money/pesewas.ts'
import { packageName, type StoredPackage } from '../stored-packages.ts'

/** An offer whose cost is above the lowest price: it loses money when its supplier delivers. */
export type Loss = { readonly supplier: string; readonly message: string; readonly lossPesewas: Pesewas }

/**
 * Finds the losses of a package, one per supplier whose cost is above the lowest price. A package that is switched off is not
 * sold and has none.
 */
export function findLosses(next: StoredPackage): Loss[] {
  if (!next.isAvailable) return []
  const prices = { customer: next.priceCustomer, agent: next.priceAgent, dealer: next.priceDealer }
  return [...next.offers].flatMap(([supplier, { costPesewas }]) => {
    const below = Object.entries(prices).filter(([, price]) => price < costPesewas)
    const [worst] = below.toSorted(([, one], [, other]) => one - other)
    if (!worst) return []
    const [role, price] = worst
    const message = `${packageName(next)}: the ${role} price ${formatGhs(price as Pesewas)} is below what ${supplier} asks, ${formatGhs(costPesewas)}`
    return [{ supplier, message, lossPesewas: (costPesewas - price) as Pesewas }]
  })
}
