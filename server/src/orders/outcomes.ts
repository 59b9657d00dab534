import type { AttemptOutcome } from './attempt.ts'

/** The meaning of an attempt's outcome for its order, for later evidence, for the audit and for the supplier. */
type OutcomeMeaning = {
  /**
   * `no delivery`: the order goes on or fails without this attempt. If the supplier reports a delivery afterwards, that is a
   * contradiction. `nothing`: the attempt is open, and the supplier is asked again.
   */
  readonly proves: 'delivery' | 'no delivery' | 'nothing'
  /**
   * Where the order may be sent next. `elsewhere`: to another supplier; if none takes it, perhaps to this one again. `here`: to
   * this supplier only. Left out: the order ends, its supplier is asked, or it waits for a registration.
   */
  readonly sendsOn?: 'elsewhere' | 'here'
  /** The reason of the refund that may follow, a key of `refundReasons`. */
  readonly refund: 'recipient' | 'request' | 'notReceived' | 'failed'
  /**
   * False: the outcome says nothing about the supplier. The number, our account or our request caused it, we held the call
   * back, or the attempt has not ended.
   */
  readonly measuresSupplier: boolean
}

export const outcomes: Readonly<Record<AttemptOutcome, OutcomeMeaning>> = {
  delivered: { proves: 'delivery', refund: 'failed', measuresSupplier: true },
  accepted: { proves: 'nothing', refund: 'failed', measuresSupplier: false },
  unknown: { proves: 'nothing', refund: 'failed', measuresSupplier: false },
  failed: { proves: 'no delivery', refund: 'failed', measuresSupplier: true },
  rejected_recipient: { proves: 'no delivery', refund: 'recipient', measuresSupplier: false },
  rejected_request: { proves: 'no delivery', sendsOn: 'elsewhere', refund: 'request', measuresSupplier: false },
  rejected_platform: { proves: 'no delivery', sendsOn: 'elsewhere', refund: 'failed', measuresSupplier: false },
  not_registered: { proves: 'no delivery', refund: 'recipient', measuresSupplier: false },
  throttled: { proves: 'no delivery', sendsOn: 'elsewhere', refund: 'failed', measuresSupplier: true },
  never_received: { proves: 'no delivery', sendsOn: 'elsewhere', refund: 'notReceived', measuresSupplier: true },
  not_sent: { proves: 'no delivery', sendsOn: 'here', refund: 'failed', measuresSupplier: false },
  unreachable: { proves: 'no delivery', sendsOn: 'elsewhere', refund: 'failed', measuresSupplier: true },
}

/** The meaning of a stored outcome; undefined for null and for any other text. */
export function meaningOf(outcome: string | null): OutcomeMeaning | undefined {
  return outcome !== null && Object.hasOwn(outcomes, outcome) ? outcomes[outcome as AttemptOutcome] : undefined
}
