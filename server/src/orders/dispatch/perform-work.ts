import type { Supplier, SupplierAnswer } from '../../suppliers/ports.ts'
import type { Attempt } from '../attempt.ts'
import type { Fulfilment } from '../fulfilment.ts'
import type { ClaimedOrder } from '../schedule/claim-open-orders.ts'
import { agreedCallback } from './decide-claimed-step.ts'

/** One call to a supplier that may be made now. A send or a re-send has been recorded in the database. */
export type Work = {
  readonly claimed: ClaimedOrder
  readonly attempt: Attempt
  readonly supplier: Supplier
  readonly fulfilment: Fulfilment
  /** `callback`: no call is made; the callbacks' answer is used. */
  readonly call: 'send' | 'status' | 'resend' | 'callback'
  /**
   * True before the send deadline by the timer of this process. That deadline comes before `send_before`, because this process
   * starts its timer first.
   */
  readonly mayStillSend: () => boolean
}

/** Adapters end their calls after 30 s. This limit is for an adapter that does not, and is well below the lease. */
const callSecondsMax = 40
const graceMilliseconds = 250

/**
 * Ends a call that does not end by itself, when its time is over or the worker stops. So an adapter that ignores the signal
 * does not keep a slot for ever, and does not delay a shutdown.
 */
function limitCall(stopping: AbortSignal) {
  const limited = new AbortController()
  const { promise, resolve } = Promise.withResolvers<SupplierAnswer>()
  const giveUp = (reason: unknown) => {
    limited.abort(reason)
    // An adapter that obeys the signal knows whether a byte was sent, so it gets a moment to report that.
    setTimeout(() => resolve({ meaning: 'unknown', evidence: 'no answer in the time there was' }), graceMilliseconds)
  }
  const onStop = () => giveUp(stopping.reason)
  const timer = setTimeout(() => giveUp(new DOMException('the time was over', 'TimeoutError')), callSecondsMax * 1_000)
  if (stopping.aborted) onStop()
  else stopping.addEventListener('abort', onStop, { once: true })
  return {
    signal: limited.signal,
    givenUp: promise,
    release: () => {
      clearTimeout(timer)
      stopping.removeEventListener('abort', onStop)
    },
  }
}

/**
 * Sends a committed attempt to its supplier once, with no transaction open. For an attempt that was sent before, this sends
 * the same reference again in order to ask.
 */
function dispatchOrder(work: Work, signal: AbortSignal): Promise<SupplierAnswer> {
  const { outgoingReference, supplierReference } = work.attempt
  const outgoing = { outgoingReference, supplierReference, mayStillSend: work.mayStillSend }
  return work.fulfilment.send(work.supplier, work.claimed.order, outgoing, signal)
}

function readCallbackAnswer({ attempt }: Work): SupplierAnswer {
  const answer = agreedCallback(attempt)
  if (!answer) return { meaning: 'unknown', evidence: 'callbacks deny each other' }
  const { meaning, evidence, supplierReference } = answer
  return { meaning, evidence, ...(supplierReference === null ? {} : { supplierReference }) }
}

/**
 * Asks a supplier how an attempt ended: by a status look-up or, where the look-up cannot work and the supplier declares it
 * safe, by sending the same reference again. A callback that is proof is used as the answer, and nobody is asked.
 */
async function askOrder(work: Work, signal: AbortSignal): Promise<SupplierAnswer> {
  if (work.call === 'callback') return readCallbackAnswer(work)
  if (work.call === 'resend') return dispatchOrder(work, signal)
  const { outgoingReference, supplierReference } = work.attempt
  return work.supplier.askStatus({ outgoingReference, supplierReference }, signal)
}

/** Makes the one call that was planned. When an adapter throws, or does not answer in time, the result is `unknown`. */
export async function performWork(work: Work, stopping: AbortSignal): Promise<SupplierAnswer> {
  const limit = limitCall(stopping)
  try {
    const call = work.call === 'send' ? dispatchOrder(work, limit.signal) : askOrder(work, limit.signal)
    return await Promise.race([call, limit.givenUp])
  } catch (error) {
    return {
      meaning: 'unknown',
      evidence: `the call ended in an error: ${error instanceof Error ? error.message : String(error)}`,
    }
  } finally {
    limit.release()
  }
}
