import type { Amount } from '../money/amount.ts'
import type { Setting } from '../platform/settings/settings.ts'
import type { PeoplesMove } from './order-life-cycle.ts'

/**
 * What the code in `orders/` must know about a product, as data. That code is handed the facts of all products and
 * names none of them. The product's descriptor (`products/product.ts`) holds these facts.
 */
export type ProductFacts = {
  /** The kind of its orders, and the product in the names of its routes. */
  readonly name: string
  /** What a person calls it. */
  readonly title: string
  /** The unit that orders are priced and paid in: money, or SMS credits. */
  readonly unit: Amount['unit']
  /** `shared`: a reference is taken once, for all accounts and all products that share. `account`: once per account, for this product alone. */
  readonly references: 'shared' | 'account'
  /**
   * Whether we choose the references of its orders ourselves, each only once: then an order is also found by its
   * reference alone.
   */
  readonly namesItsOrders: boolean
  /** The field of an order's details that names which package or type was bought; undefined: the product has none. */
  readonly packageField?: string
  /** Who fulfils its orders: suppliers, through the order loop; the stock, within the purchase; people; or a loop of its own. */
  readonly fulfilledBy: 'suppliers' | 'stock' | 'people' | 'own loop'
  /** When a failed order is refunded at once: always, or while this switch is on. Otherwise a person must refund it. */
  readonly refundsFailedOrders: 'always' | Setting<boolean>
  /** Whether suppliers pay us a commission for its orders, of which the reseller gets a share. */
  readonly earnsCommission: boolean
  /** Whether the product's networks are those of phone numbers. The number plan then says which of them a recipient is on. */
  readonly followsNumberPlan: boolean
  /** Moves that two people make together and no process ever makes. */
  readonly peoplesMoves: readonly PeoplesMove[]
}

/** The product that sells orders of this kind. @throws Error when none does */
export function productOf<Facts extends Pick<ProductFacts, 'name'>>(products: readonly Facts[], kind: string): Facts {
  const product = products.find(({ name }) => name === kind)
  if (!product) throw new Error(`no product sells orders of the kind ${kind}`)
  return product
}
