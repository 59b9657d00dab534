import type { CostExpectation } from '../money/expected-cost.ts'
import type { Db } from '../platform/database/database.ts'
import type { OutgoingAttempt, Supplier, SupplierAnswer } from '../suppliers/ports.ts'
import type { Order } from './order.ts'

/** How suppliers fulfil the orders of one product, for the order loop. */
export type Fulfilment = {
  /** The order kind, which is also the product in a route's name. */
  readonly product: string
  /**
   * Sends one attempt once, without a retry. `attempt.mayStillSend` is asked immediately before the first byte is written.
   * If anything goes wrong after that without a clear answer, the answer is `unknown`.
   */
  send(supplier: Supplier, order: Order, attempt: OutgoingAttempt, signal: AbortSignal): Promise<SupplierAnswer>
  /** What was sold, in the words of the price list, such as `MTN 1GB` or `bill ecg`, for alarms. */
  titleOf(order: Order): string
  /** The expected cost of orders at a supplier by its present prices, stored with each attempt. */
  readonly costs: CostExpectation
  /**
   * The names of the suppliers that could take each order (they offer its package), by order id. Whether their routes are
   * open is the caller's concern.
   */
  listCapableSuppliers(db: Db, orders: readonly Order[]): Promise<Map<string, ReadonlySet<string>>>
}
