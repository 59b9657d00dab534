import type { CostExpectation } from '../money/expected-cost.ts'
import type { Db } from '../platform/database/database.ts'
import type { OutgoingAttempt, Supplier, SupplierAnswer } from '../suppliers/ports.ts'
import type { Order } from './order.ts'

/** How a product has its orders fulfilled. `worker.ts` hands one per product to the order loop. */
export type Fulfilment = {
  /** The order kind it fulfils, which is also the product in a route's name. */
  readonly product: string
  /**
   * Sends one attempt, once: no retry inside. `attempt.mayStillSend` is asked immediately before the
   * first byte is written. Whatever goes wrong after that and is not a clear answer is `unknown`.
   */
  send(supplier: Supplier, order: Order, attempt: OutgoingAttempt, signal: AbortSignal): Promise<SupplierAnswer>
  /** What was bought, in the words of the price list, such as `MTN 1GB`: alarms name it so. */
  titleOf(order: Order): string
  /** What orders should cost at a supplier as its prices stand now; it is kept with each attempt. */
  readonly costs: CostExpectation
  /** The names of the suppliers that could take each order (they offer its package), by order id. Whether their routes are open is the caller's concern. */
  listCapableSuppliers(db: Db, orders: readonly Order[]): Promise<Map<string, ReadonlySet<string>>>
}
