import type { ResendClass } from '../../suppliers/ports.ts'
import type { Attempt, CallbackVerdict } from '../attempt.ts'
import type { HoldReason } from '../next-step.ts'
import { isEnded, type OrderStatus } from '../order-life-cycle.ts'

/** What the decision needs to know of the supplier whose turn it is; undefined when it is not there. */
export type SupplierFacts = {
  readonly resendClass: ResendClass
  readonly resendSafeSeconds: number | null
  /** The status look-up takes only the supplier's own code. */
  readonly needsItsOwnReference: boolean
  /** What its callbacks say of an attempt's end settles. */
  readonly callbackIsProof: boolean
}

/** A claimed order, before anything is done for it. */
export type ClaimedFacts = {
  readonly status: OrderStatus
  /** The attempt that is to be asked about; null when the next step is to send. */
  readonly attempt: Attempt | null
  readonly supplier: SupplierFacts | undefined
  readonly route: 'open' | 'paused' | 'missing'
  /** Whether the route's supplier offers what was ordered. Asked only about an order that is to be sent. */
  readonly isOffered: boolean
  /** Open routes that could take the order instead, best first. */
  readonly otherRoutes: readonly string[]
  /** The database's clock when the order was claimed. */
  readonly claimedAt: Date
}

export type ClaimedStep =
  | { readonly do: 'send' }
  | { readonly do: 'ask'; readonly by: 'status' | 'resend' | 'callback' }
  | { readonly do: 'reroute'; readonly route: string }
  | { readonly do: 'hold'; readonly afterSeconds: number; readonly holdReason: HoldReason }
  /** The order ended without its row here having gone: a bug to be raised, never a send. */
  | { readonly do: 'close' }

/** Only a safety net: the worker makes these orders due when it sees the route open. */
const pausedLookAgainSeconds = 60
const missingLookAgainSeconds = 60
const unaskableLookAgainSeconds = 900

function hold(afterSeconds: number, holdReason: HoldReason): ClaimedStep {
  return { do: 'hold', afterSeconds, holdReason }
}

/** What callbacks agree on. Undefined when there were none, or when they deny each other: then only the supplier itself can tell. */
export function agreedCallback({ callbackVerdicts }: Attempt): CallbackVerdict | undefined {
  const [first] = callbackVerdicts
  return callbackVerdicts.every(({ meaning }) => meaning === first?.meaning) ? first : undefined
}

/** How to ask: not at all where a callback has told already, by status where that can work, else by the same reference again where that is safe. */
function askStep(attempt: Attempt, supplier: SupplierFacts, facts: ClaimedFacts): ClaimedStep {
  if (supplier.callbackIsProof && agreedCallback(attempt)) return { do: 'ask', by: 'callback' }
  if (!supplier.needsItsOwnReference || attempt.supplierReference !== null) return { do: 'ask', by: 'status' }
  const ageSeconds = (facts.claimedAt.getTime() - attempt.createdAt.getTime()) / 1_000
  const isClassSafe = supplier.resendClass === 'returns-original' || supplier.resendClass === 'rejects-duplicate'
  if (!isClassSafe || (supplier.resendSafeSeconds !== null && ageSeconds >= supplier.resendSafeSeconds)) {
    return hold(unaskableLookAgainSeconds, 'cannot_ask')
  }
  // A re-send may be the one that is executed, so it respects a pause as any send does.
  if (facts.route !== 'open') return hold(pausedLookAgainSeconds, 'route_paused')
  return { do: 'ask', by: 'resend' }
}

/**
 * Decides what a claimed order needs now. Pure. An order with an open attempt is only ever asked about:
 * whoever made the attempt may have died before or after sending it, and nobody guesses. Questions go on
 * while a route is paused; sends move to another open route or wait.
 */
export function decideClaimedStep(facts: ClaimedFacts): ClaimedStep {
  if (isEnded(facts.status)) return { do: 'close' }
  if (facts.attempt) {
    return facts.supplier ? askStep(facts.attempt, facts.supplier, facts) : hold(missingLookAgainSeconds, 'supplier_missing')
  }
  // With this reason it leaves this schedule and is taken up by whoever follows registrations.
  if (facts.status === 'queued') return hold(0, 'not_registered')
  if (facts.route === 'open' && facts.supplier && facts.isOffered) return { do: 'send' }
  const [otherRoute] = facts.otherRoutes
  if (otherRoute !== undefined) return { do: 'reroute', route: otherRoute }
  if (facts.route === 'missing') return hold(missingLookAgainSeconds, 'route_missing')
  if (!facts.supplier) return hold(missingLookAgainSeconds, 'supplier_missing')
  if (!facts.isOffered) return hold(missingLookAgainSeconds, 'not_offered')
  return hold(pausedLookAgainSeconds, 'route_paused')
}
