import type { Amount } from '../money/amount.ts'
import type { Setting } from '../platform/settings/settings.ts'
import type { CostSubject, CostUnits } from './costs/cost-subject.ts'
import type { ManualMove } from './order-life-cycle.ts'

/**
 * The facts about a product that the code in `orders/` needs. That code gets the facts of all products, so that it need not
 * name them. The product's descriptor (`products/product.ts`) holds them.
 */
export type ProductFacts = {
  /** The kind of the product's orders. It is also the product in the names of routes. */
  readonly name: string
  readonly title: string
  /** Its name in the app, and in the files that resellers download there. */
  readonly shortTitle: string
  /** The unit that orders are priced and paid in: money, or SMS credits. */
  readonly unit: Amount['unit']
  /**
   * The range in which an order's reference must be unique. `shared`: the orders of all accounts and of all products that
   * share references. `account`: the orders of one account and this product.
   */
  readonly references: 'shared' | 'account'
  /** True when we choose the references of its orders, each only once: then an order is also found by its reference alone. */
  readonly namesItsOrders: boolean
  /**
   * The field of an order's details that names the package or type that was bought. Undefined: the product has no such
   * field.
   */
  readonly packageField?: string
  /** Suppliers, through the order loop; our own stock, within the purchase; people; or a loop of the product's own. */
  readonly fulfilledBy: 'suppliers' | 'stock' | 'people' | 'own loop'
  /** A failed order is refunded at once: always, or while this switch is on. Otherwise a person must refund it. */
  readonly refundsFailedOrders: 'always' | Setting<boolean>
  /** True when suppliers pay us a commission for its orders, of which the reseller gets a share. */
  readonly earnsCommission: boolean
  /** True when the product's networks are those of phone numbers. The number plan then finds a recipient's networks. */
  readonly followsNumberPlan: boolean
  /** The cost of its units, for orders whose supplier does not report it. Undefined: suppliers report the cost. */
  readonly unitCost?: CostSubject & { readonly units: CostUnits }
  /** Moves that only two people make together. */
  readonly peoplesMoves: readonly ManualMove[]
}

/** @throws Error when no product sells orders of this kind */
export function productOf<Facts extends Pick<ProductFacts, 'name'>>(products: readonly Facts[], kind: string): Facts {
  const product = products.find(({ name }) => name === kind)
  if (!product) throw new Error(`no product sells orders of the kind ${kind}`)
  return product
}
