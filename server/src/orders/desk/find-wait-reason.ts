import type { ListedOrder } from '../queries/list-orders.ts'
import { isManualRoute, isOwnLoopRoute } from '../routes-without-suppliers.ts'

/** The reasons why an order waits, for the operator. The pages hold their texts. */
export const waitReasonCodes = [
  'no_word',
  'unknown_to_supplier',
  'cannot_ask',
  'not_registered',
  'float_empty',
  'credentials_refused',
  'account_disabled',
  'supplier_silent',
  'supplier_refuses_us',
  'paused_by_person',
  'route_paused',
  'supplier_unreachable',
  'throttled',
  'route_missing',
  'supplier_missing',
  'not_offered',
  'request_rejected',
  'no_worker',
  'waits_for_people',
  'not_refunded',
] as const
export type WaitReasonCode = (typeof waitReasonCodes)[number]

export type OrderWaitReason = { readonly code: WaitReasonCode; readonly since: Date }

type WaitingOrder = Pick<
  ListedOrder,
  'status' | 'route' | 'holdReason' | 'pausedReason' | 'lastAnswer' | 'isStuck' | 'sentAt' | 'createdAt' | 'price'
>

/** The code for each reason of an automatic pause. */
const codesOfPause: Readonly<Record<string, WaitReasonCode>> = {
  float: 'float_empty',
  auth: 'credentials_refused',
  disabled: 'account_disabled',
  silent: 'supplier_silent',
}

function codeOfPause(pausedReason: string | null, otherwise: WaitReasonCode): WaitReasonCode {
  if (pausedReason === null) return otherwise
  return codesOfPause[pausedReason] ?? (pausedReason.startsWith('operator:') ? 'paused_by_person' : otherwise)
}

function codeOf({ holdReason, pausedReason, lastAnswer, isStuck }: WaitingOrder): WaitReasonCode | null {
  switch (holdReason) {
    case null:
      return isStuck ? 'no_worker' : null
    case 'no_definitive_answer':
      return lastAnswer === 'never_received' || lastAnswer === 'never_received_early' ? 'unknown_to_supplier' : 'no_word'
    case 'platform_rejected':
      return codeOfPause(pausedReason, 'supplier_refuses_us')
    case 'route_paused':
      return codeOfPause(pausedReason, 'route_paused')
    default:
      return waitReasonCodes.find((code) => code === holdReason) ?? 'route_paused'
  }
}

/**
 * Finds the reason why an order makes no progress. Null: the order makes progress, a loop of its product works on it, or it
 * has ended and nothing is left to do.
 */
export function findWaitReason(order: WaitingOrder): OrderWaitReason | null {
  const { route, status, price, sentAt, createdAt } = order
  if (status === 'failed' && price.unit === 'pesewas') return { code: 'not_refunded', since: createdAt }
  if (route === null || isOwnLoopRoute(route)) return null
  if (isManualRoute(route)) return { code: 'waits_for_people', since: createdAt }
  const code = codeOf(order)
  return code && { code, since: code === 'no_word' ? (sentAt ?? createdAt) : createdAt }
}
