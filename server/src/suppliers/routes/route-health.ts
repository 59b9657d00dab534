import type { Pesewas } from '../../money/pesewas.ts'
import type { FloatAnswer, PlatformCause } from '../ports.ts'

/** This many distinct orders, refused within a minute, pause a route although the balance read is good. */
export const agreeingOrdersMin = 3
export const agreementSeconds = 60

/** After this many unanswered sends in a row, the supplier's balance is read to learn whether it can be reached. */
export const silentSendsMin = 3

/** This many unanswered purchases in a row pause the route even if balance reads are answered. */
const silentPurchasesMin = 10

export type HealthReason = PlatformCause | 'silent'

/** Reasons of automatic pauses, which end with a good balance read. Any other reason comes from a person. */
const healthReasons: ReadonlySet<string> = new Set<HealthReason>(['float', 'auth', 'disabled', 'silent'])

/** Whether the supplier refuses our credentials or our account, which a person must correct. */
export function isRefusalOfUs(pausedReason: string): boolean {
  return pausedReason === 'auth' || pausedReason === 'disabled'
}

/** Whether a pause ends with a good balance read, rather than with time or by hand. */
export function endsWithProbe(pausedReason: string): boolean {
  return healthReasons.has(pausedReason)
}

/** Makes the stored form of a person's reason, which no automatic reason has. */
export function operatorReason(text: string): string {
  return `operator: ${text.trim() === '' ? 'no reason given' : text.trim()}`
}

/** The person's text in a stored reason. */
export function operatorReasonText(stored: string): string {
  return stored.replace(/^operator: /, '')
}

/** Whether a balance read allows sending again. */
export function isGoodRead(float: FloatAnswer, minimumFloatPesewas: Pesewas): boolean {
  return float.meaning === 'read' && float.floatPesewas >= minimumFloatPesewas
}

/** Decision after a balance read: which routes to pause, and why. */
export type PauseDecision = { readonly pause: 'none' } | { readonly pause: 'route' | 'supplier'; readonly reason: HealthReason }

/**
 * Decides whether a refusal of our account pauses routes. One order is not enough: a supplier may answer "insufficient" for
 * other reasons. A balance read that confirms the refusal concerns the whole account and pauses all routes of the supplier.
 * Several refused orders pause only their own route.
 */
export function decidePause(seen: {
  readonly cause: PlatformCause
  readonly float: FloatAnswer
  readonly minimumFloatPesewas: Pesewas
  /** Distinct orders refused on this route within the last minute, this one included. */
  readonly agreeingOrders: number
}): PauseDecision {
  if (seen.float.meaning === 'refused') return { pause: 'supplier', reason: seen.float.cause }
  const isEmpty = seen.float.meaning === 'read' && seen.float.floatPesewas < seen.minimumFloatPesewas
  if (seen.cause === 'float' && isEmpty) return { pause: 'supplier', reason: 'float' }
  if (seen.agreeingOrders >= agreeingOrdersMin) return { pause: 'route', reason: seen.cause }
  return { pause: 'none' }
}

/**
 * Decides whether unanswered sends pause routes. A balance read that is refused or unanswered pauses all routes of the supplier.
 * After any other read, more unanswered sends are needed, and they pause only their own route.
 */
export function decideSilencePause(float: FloatAnswer, silentSends: number): PauseDecision {
  if (float.meaning === 'refused') return { pause: 'supplier', reason: float.cause }
  if (float.meaning === 'unknown') return { pause: 'supplier', reason: 'silent' }
  return silentSends >= silentPurchasesMin ? { pause: 'route', reason: 'silent' } : { pause: 'none' }
}
