/** The status of an ended order, and the last known outcome of one of its attempts. */
export type AttemptEnd = { readonly status: string; readonly outcome: string | null }

/**
 * After these outcomes the order went on, or ended, without this attempt. If the attempt were delivered now, that would
 * be a second delivery.
 */
const concludedWithout: ReadonlySet<string> = new Set([
  'failed',
  'rejected_recipient',
  'rejected_request',
  'rejected_platform',
  'throttled',
  'never_received',
  'not_registered',
  'not_sent',
  'unreachable',
])

/**
 * True when a supplier's new answer denies how the order or its attempt ended (decision S12: evidence against an ended
 * order). Pure.
 */
export function deniesEnd({ status, outcome }: AttemptEnd, said: string): boolean {
  if (said === 'delivered') {
    // The supplier reports that this attempt delivered, but the order was refunded or another attempt delivered it.
    return status === 'failed' || status === 'refunded' || (outcome !== null && concludedWithout.has(outcome))
  }
  return said === 'failed' && status === 'completed' && outcome === 'delivered'
}
