import type { ResendClass } from '../../suppliers/ports.ts'
import type { Attempt, CallbackAnswer } from '../attempt.ts'
import type { HoldReason } from '../next-step.ts'
import { isEnded, type OrderStatus } from '../order-life-cycle.ts'

/** The facts about the supplier of the current route. Undefined when this process has no such supplier. */
export type SupplierFacts = {
  readonly resendClass: ResendClass
  readonly resendSafeSeconds: number | null
  /** The status look-up works only with the supplier's own reference, not with ours. */
  readonly needsItsOwnReference: boolean
  /** True: a callback about the end of an attempt is proof, so the order is settled on it. */
  readonly callbackIsProof: boolean
}

export type ClaimedFacts = {
  readonly status: OrderStatus
  /** The attempt to ask about. Null when the next step is to send. */
  readonly attempt: Attempt | null
  readonly supplier: SupplierFacts | undefined
  readonly route: 'open' | 'paused' | 'missing'
  /** A supplier that may have the order already, by a send that the database has lost. It is asked before any send. */
  readonly toAskFirst?: string | undefined
  /** True when the route's supplier offers what was ordered. Read only for an order that is to be sent. */
  readonly isOffered: boolean
  /** Open routes that could take the order instead, best first. */
  readonly otherRoutes: readonly string[]
  /** The database's clock when the order was claimed. */
  readonly claimedAt: Date
}

export type ClaimedStep =
  | { readonly do: 'send' }
  | { readonly do: 'ask_first'; readonly supplier: string }
  | { readonly do: 'ask'; readonly by: 'status' | 'resend' | 'callback' }
  | { readonly do: 'reroute'; readonly route: string }
  | { readonly do: 'hold'; readonly afterSeconds: number; readonly holdReason: HoldReason }
  /** The order has ended but is still in the schedule. That is a bug: an alarm is raised, and nothing is sent. */
  | { readonly do: 'close' }

/**
 * Seconds until an order of a paused route is claimed again. It is normally due earlier, because the worker makes it due when
 * its route opens. The time is long, because each such claim rewrites the waiting order.
 */
export const pausedRetrySeconds = 600
const missingRetrySeconds = 60
const unaskableRetrySeconds = 900

function hold(afterSeconds: number, holdReason: HoldReason): ClaimedStep {
  return { do: 'hold', afterSeconds, holdReason }
}

/**
 * The end that all callbacks agree on. Undefined when no callback came, or when they contradict each other: then only the
 * supplier can tell.
 */
export function agreedCallback({ callbackAnswers }: Attempt): CallbackAnswer | undefined {
  const [first] = callbackAnswers
  return callbackAnswers.every(({ meaning }) => meaning === first?.meaning) ? first : undefined
}

/**
 * Chooses how to ask. A callback that is proof is used as the answer. Else a status look-up is made where one works, or the
 * same reference is sent again where that is safe.
 */
function askStep(attempt: Attempt, supplier: SupplierFacts, facts: ClaimedFacts): ClaimedStep {
  if (supplier.callbackIsProof && agreedCallback(attempt)) return { do: 'ask', by: 'callback' }
  if (!supplier.needsItsOwnReference || attempt.supplierReference !== null) return { do: 'ask', by: 'status' }
  // A re-send could deliver the order twice, if the supplier has forgotten the lost send. So people decide.
  if (attempt.isOnlyAsked) return hold(unaskableRetrySeconds, 'cannot_ask')
  const ageSeconds = (facts.claimedAt.getTime() - attempt.createdAt.getTime()) / 1_000
  const isClassSafe = supplier.resendClass === 'returns-original' || supplier.resendClass === 'rejects-duplicate'
  if (!isClassSafe || (supplier.resendSafeSeconds !== null && ageSeconds >= supplier.resendSafeSeconds)) {
    return hold(unaskableRetrySeconds, 'cannot_ask')
  }
  // The supplier may execute the re-send instead of the first send, so a paused route stops it as it stops any send.
  if (facts.route !== 'open') return hold(pausedRetrySeconds, 'route_paused')
  return { do: 'ask', by: 'resend' }
}

/**
 * Decides the next step of a claimed order. Pure. An order with an open attempt is only asked about, because the process
 * that made the attempt may have died before or after the send. Look-ups go on while a route is paused. Orders that wait
 * to be sent move to another open route, or wait.
 */
export function decideClaimedStep(facts: ClaimedFacts): ClaimedStep {
  if (isEnded(facts.status)) return { do: 'close' }
  if (facts.attempt) {
    return facts.supplier ? askStep(facts.attempt, facts.supplier, facts) : hold(missingRetrySeconds, 'supplier_missing')
  }
  // An order with this hold reason belongs to the registration loop; the order loop does not touch it.
  if (facts.status === 'queued') return hold(0, 'not_registered')
  if (facts.toAskFirst !== undefined) return { do: 'ask_first', supplier: facts.toAskFirst }
  if (facts.route === 'open' && facts.supplier && facts.isOffered) return { do: 'send' }
  const [otherRoute] = facts.otherRoutes
  if (otherRoute !== undefined) return { do: 'reroute', route: otherRoute }
  if (facts.route === 'missing') return hold(missingRetrySeconds, 'route_missing')
  if (!facts.supplier) return hold(missingRetrySeconds, 'supplier_missing')
  if (!facts.isOffered) return hold(missingRetrySeconds, 'not_offered')
  return hold(pausedRetrySeconds, 'route_paused')
}
