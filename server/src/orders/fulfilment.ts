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
  /** The names of the suppliers that could take each order (they offer its package), by order id. Whether their routes are open is the caller's concern. */
  listCapableSuppliers(db: Db, orders: readonly Order[]): Promise<Map<string, ReadonlySet<string>>>
}
