import { isPeoplesRoute } from '../peoples-route.ts'

/** The reason of an open order's wait, as its owner may see it. */
export type Wait = 'registration' | 'answer' | 'supplier' | 'person'

/**
 * Finds why an open order makes no progress. Null: it makes progress, or has ended. Every trouble on our side is shown as
 * `supplier`.
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
