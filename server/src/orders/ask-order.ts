import type { SupplierAnswer } from '../suppliers/ports.ts'
import { dispatchOrder } from './dispatch-order.ts'
import type { Work } from './work.ts'

/**
 * Asks a supplier what became of an attempt: by a status look-up or, where the look-up cannot work and
 * the supplier declares it safe, by sending the same reference again.
 */
export function askOrder(work: Work, signal: AbortSignal): Promise<SupplierAnswer> {
  if (work.call === 'resend') return dispatchOrder(work, signal)
  const { outgoingReference, supplierReference } = work.attempt
  return work.supplier.askStatus({ outgoingReference, supplierReference }, signal)
}
