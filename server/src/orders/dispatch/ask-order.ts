import type { SupplierAnswer } from '../../suppliers/ports.ts'
import { agreedCallback } from './decide-claimed-step.ts'
import { dispatchOrder } from './dispatch-order.ts'
import type { Work } from './work.ts'

function readCallbackVerdict({ attempt }: Work): SupplierAnswer {
  const verdict = agreedCallback(attempt)
  if (!verdict) return { meaning: 'unknown', evidence: 'callbacks deny each other' }
  const { meaning, evidence, supplierReference } = verdict
  return { meaning, evidence, ...(supplierReference === null ? {} : { supplierReference }) }
}

/**
 * Asks a supplier what became of an attempt: by a status look-up or, where the look-up cannot work and
 * the supplier declares it safe, by sending the same reference again. Where the supplier's callbacks are proof
 * and one has come, that is the answer, and nobody is asked.
 */
export async function askOrder(work: Work, signal: AbortSignal): Promise<SupplierAnswer> {
  if (work.call === 'callback') return readCallbackVerdict(work)
  if (work.call === 'resend') return dispatchOrder(work, signal)
  const { outgoingReference, supplierReference } = work.attempt
  return work.supplier.askStatus({ outgoingReference, supplierReference }, signal)
}
