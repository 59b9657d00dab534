import type { Supplier } from '../../suppliers/ports.ts'
import type { Attempt } from '../attempt.ts'
import type { Fulfilment } from '../fulfilment.ts'
import type { ClaimedOrder } from '../schedule/claim-open-orders.ts'

/** One call to a supplier that has been recorded in the database and may now be made. */
export type Work = {
  readonly claimed: ClaimedOrder
  readonly attempt: Attempt
  readonly supplier: Supplier
  readonly fulfilment: Fulfilment
  /** `callback`: nobody is called; what callbacks told is weighed as an answer. */
  readonly call: 'send' | 'status' | 'resend' | 'callback'
  /** Opened before the statement that committed `send_before`. */
  readonly mayStillSend: () => boolean
}
