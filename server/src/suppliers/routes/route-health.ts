import type { Pesewas } from '../../money/pesewas.ts'
import type { FloatAnswer, PlatformCause } from '../ports.ts'

/** Orders that must agree within a minute before a route is paused against its balance read. */
export const agreeingOrdersMin = 3
export const agreementSeconds = 60

/** Sends in a row that were not answered before the supplier's balance is read to learn whether anybody is there. */
export const silentSendsMin = 3

/** Purchases in a row that were not answered, while the balance is, before their route is paused. */
const silentPurchasesMin = 10

/** Why a route pauses by itself. */
export type HealthReason = PlatformCause | 'silent'

/** Why a route was paused by itself; such a pause ends with a good balance read. Any other reason is a person's. */
const healthReasons: ReadonlySet<string> = new Set<HealthReason>(['float', 'auth', 'disabled', 'silent'])

/** Whether a route is paused because the supplier refuses our credentials or our account, which a person must mend. */
export function isRefusalOfUs(pausedReason: string): boolean {
  return pausedReason === 'auth' || pausedReason === 'disabled'
}

/** Whether a pause ends with a good balance read, rather than with time or by hand. */
export function endsWithProbe(pausedReason: string): boolean {
  return healthReasons.has(pausedReason)
}

/** A person's reason as it is stored: never one of the words that stand for a pause by itself. */
export function operatorReason(text: string): string {
  return `operator: ${text.trim() === '' ? 'no reason given' : text.trim()}`
}

/** Whether a balance read says that orders can go out again. */
export function isGoodRead(float: FloatAnswer, minimumFloatPesewas: Pesewas): boolean {
  return float.meaning === 'read' && float.floatPesewas >= minimumFloatPesewas
}

/** What a refusal of us, and a balance read after it, do to the routes. */
export type PauseDecision = { readonly pause: 'none' } | { readonly pause: 'route' | 'supplier'; readonly reason: HealthReason }

/**
 * Decides whether a refusal that concerns us, not the order, pauses anything. One order's word is not
 * enough: a supplier may say "insufficient" for reasons of its own. A balance read that confirms it speaks for
 * the whole account, so it pauses every route of the supplier; orders that agree pause their own route.
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
 * Decides whether sends that nobody answered pause anything. A balance read that nobody answers either speaks for the
 * whole supplier. One that is answered leaves the chance that single orders were unlucky, so it takes more of them.
 */
export function decideSilencePause(float: FloatAnswer, silentSends: number): PauseDecision {
  if (float.meaning === 'refused') return { pause: 'supplier', reason: float.cause }
  if (float.meaning === 'unknown') return { pause: 'supplier', reason: 'silent' }
  return silentSends >= silentPurchasesMin ? { pause: 'route', reason: 'silent' } : { pause: 'none' }
}
