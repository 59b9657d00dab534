import { isPeoplesRoute } from '../peoples-route.ts'

/** Why an open order stands still, as its owner may know it. */
export type Wait = 'registration' | 'answer' | 'supplier' | 'person'

/**
 * Finds why an open order stands still. Null: it does not stand still, or has ended. All troubles of our own get the same
 * word.
 */
export function waitOf({
  route,
  holdReason,
}: {
  readonly route: string | null
  readonly holdReason: string | null
}): Wait | null {
  if (route === null) return null
  if (isPeoplesRoute(route)) return 'person'
  if (holdReason === null) return null
  if (holdReason === 'not_registered') return 'registration'
  if (holdReason === 'no_definitive_answer' || holdReason === 'cannot_ask') return 'answer'
  return 'supplier'
}
