import type { Supplier } from '../../suppliers/ports.ts'
import type { Attempt } from '../attempt.ts'
import type { Fulfilment } from '../fulfilment.ts'
import type { ClaimedOrder } from '../schedule/claim-open-orders.ts'

/** One call to a supplier that may be made now. A send or a re-send has been recorded in the database. */
export type Work = {
  readonly claimed: ClaimedOrder
  readonly attempt: Attempt
  readonly supplier: Supplier
  readonly fulfilment: Fulfilment
  /** `callback`: no call is made; the callbacks' answer is used. */
  readonly call: 'send' | 'status' | 'resend' | 'callback'
  /** True before the send deadline, which this process starts before the database sets `send_before`, and so ends earlier. */
  readonly mayStillSend: () => boolean
}
