import type { SupplierAnswer } from '../../suppliers/ports.ts'
import type { Work } from './work.ts'

/**
 * Sends a committed attempt to its supplier, once, with no transaction open. If the attempt was sent before, this sends
 * the same reference again, as a way of asking.
 */
export function dispatchOrder(work: Work, signal: AbortSignal): Promise<SupplierAnswer> {
  const { outgoingReference, supplierReference } = work.attempt
  const outgoing = { outgoingReference, supplierReference, mayStillSend: work.mayStillSend }
  return work.fulfilment.send(work.supplier, work.claimed.order, outgoing, signal)
}
