import type { QueuedDecision } from '../../../orders/settlement/conclude-queued-orders.ts'
import type { Registration } from './combine-states.ts'

export type QueuedFacts = {
  /** The accepted servers' present answer. Undefined when the network needs no registration. */
  readonly registration: Registration | undefined
  readonly ageSeconds: number
  /** Seconds since the order began to wait. */
  readonly waitedSeconds: number
  /** True when the order was sent to a supplier, which answered that the number is not registered. */
  readonly wasSent: boolean
  /** The setting `queued_deadline_days`. */
  readonly deadlineDays: number
  /** True when a failed order is refunded at once. */
  readonly isRefunded: boolean
}

const secondsOfDay = 86_400

/**
 * Schedule of the questions about a number: every `everySeconds`, until `untilSeconds` after the order began to wait. After the
 * last step, every `everySecondsAtLast`.
 */
const steps = [
  { untilSeconds: 60, everySeconds: 5 },
  { untilSeconds: 30 * 60, everySeconds: 30 },
  { untilSeconds: 6 * 3_600, everySeconds: 300 },
] as const
const everySecondsAtLast = 1_800

function recheckAfterSeconds(waitedSeconds: number): number {
  return steps.find(({ untilSeconds }) => waitedSeconds < untilSeconds)?.everySeconds ?? everySecondsAtLast
}

/**
 * Decides about an order that waits for its number's registration (decisions N4: unregistered numbers wait; N4b). Pure. A
 * server's silence changes nothing. An order that a supplier keeps refusing as unregistered, whatever the registries say,
 * has the same deadline as one whose number is never registered.
 */
export function decideQueuedOrder(facts: QueuedFacts): QueuedDecision {
  const { registration, ageSeconds, waitedSeconds, wasSent, deadlineDays, isRefunded } = facts
  const mayGo = registration === 'registered' || registration === undefined
  if (mayGo && !wasSent) return { do: 'release', reason: 'number registered' }
  if (ageSeconds >= deadlineDays * secondsOfDay) return { do: 'fail', reason: 'not_registered', isRefunded }
  if (mayGo) return { do: 'release', reason: 'sent again to the supplier' }
  return { do: 'wait', afterSeconds: recheckAfterSeconds(waitedSeconds) }
}
