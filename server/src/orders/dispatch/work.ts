import type { Supplier } from '../../suppliers/ports.ts'
import type { Attempt } from '../attempt.ts'
import type { Fulfilment } from '../fulfilment.ts'
import type { ClaimedOrder } from '../schedule/claim-open-orders.ts'

/** One call to a supplier. It has been recorded in the database, so it may be made now. */
export type Work = {
  readonly claimed: ClaimedOrder
  readonly attempt: Attempt
  readonly supplier: Supplier
  readonly fulfilment: Fulfilment
  /** `callback`: no call is made; what the callbacks said is used as the answer. */
  readonly call: 'send' | 'status' | 'resend' | 'callback'
  /** Whether the send deadline has not passed. It was started before `send_before` was committed, so it ends before it. */
  readonly mayStillSend: () => boolean
}
