import type { Pesewas } from '../../money/pesewas.ts'
import type { FloatAnswer, PlatformCause } from '../ports.ts'

/** How many distinct orders must be refused within a minute to pause a route although the balance read is good. */
export const agreeingOrdersMin = 3
export const agreementSeconds = 60

/** After this many unanswered sends in a row, the supplier's balance is read to learn whether it is reachable. */
export const silentSendsMin = 3

/** After this many unanswered purchases in a row, the route is paused even if balance reads are answered. */
const silentPurchasesMin = 10

/** Why a route pauses by itself. */
export type HealthReason = PlatformCause | 'silent'

/** The reasons of automatic pauses, which end with a good balance read. Any other reason comes from a person. */
const healthReasons: ReadonlySet<string> = new Set<HealthReason>(['float', 'auth', 'disabled', 'silent'])

/** Whether a route is paused because the supplier refuses our credentials or our account, which a person must mend. */
export function isRefusalOfUs(pausedReason: string): boolean {
  return pausedReason === 'auth' || pausedReason === 'disabled'
}

/** Whether a pause ends with a good balance read, rather than with time or by hand. */
export function endsWithProbe(pausedReason: string): boolean {
  return healthReasons.has(pausedReason)
}

/** A person's reason as it is stored. It is never one of the words for automatic pauses. */
export function operatorReason(text: string): string {
  return `operator: ${text.trim() === '' ? 'no reason given' : text.trim()}`
}

/** A person's own words out of a stored reason. */
export function spokenReason(stored: string): string {
  return stored.replace(/^operator: /, '')
}

/** Whether a balance read says that orders can go out again. */
export function isGoodRead(float: FloatAnswer, minimumFloatPesewas: Pesewas): boolean {
  return float.meaning === 'read' && float.floatPesewas >= minimumFloatPesewas
}

/** What happens to the routes after a refusal of our account and a balance read. */
export type PauseDecision = { readonly pause: 'none' } | { readonly pause: 'route' | 'supplier'; readonly reason: HealthReason }

/**
 * Decides whether a refusal of our account pauses routes. One order is not enough: a supplier may say "insufficient"
 * for other reasons. A balance read that confirms the refusal concerns the whole account, so all routes of the supplier
 * are paused. Several refused orders pause only their own route.
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
 * Decides whether unanswered sends pause routes. If the balance read is not answered either, all routes of the supplier
 * are paused. If it is answered, the sends may have been unlucky, so it takes more of them to pause their route.
 */
export function decideSilencePause(float: FloatAnswer, silentSends: number): PauseDecision {
  if (float.meaning === 'refused') return { pause: 'supplier', reason: float.cause }
  if (float.meaning === 'unknown') return { pause: 'supplier', reason: 'silent' }
  return silentSends >= silentPurchasesMin ? { pause: 'route', reason: 'silent' } : { pause: 'none' }
}
