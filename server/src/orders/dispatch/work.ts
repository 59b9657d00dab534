import type { Supplier } from '../../suppliers/ports.ts'
import type { Attempt } from '../attempt.ts'
import type { Fulfilment } from '../fulfilment.ts'
import type { ClaimedOrder } from '../schedule/claim-open-orders.ts'

/** One call to a supplier, which may be made now. A send and a re-send have been recorded in the database before. */
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
