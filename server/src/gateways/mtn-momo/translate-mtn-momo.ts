import type { OpenedPayment, PaymentAnswer } from '../../money/top-ups/payment-gateway.ts'
import type { GatewayReply } from '../call-gateway.ts'
import { objectOf, parseObject, textOf } from '../read-object.ts'

const evidenceOf = (reply: GatewayReply): string =>
  reply.kind === 'answered' ? `HTTP ${reply.status}: ${reply.body.slice(0, 1_500)}` : reply.evidence

/** True for an answer that we take as final: we assume that the gateway would refuse the same request again. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429

/** An access token and its lifetime in seconds (0 for a kept token). Without a token, no payment was requested. */
export type TokenAnswer =
  | { readonly kind: 'token'; readonly token: string; readonly seconds: number }
  | { readonly kind: 'none'; readonly meaning: 'refused' | 'not_sent'; readonly evidence: string }

/** Reads MTN's answer to `POST /collection/token/`. The evidence never has the token. */
export function translateToken(reply: GatewayReply): TokenAnswer {
  if (reply.kind === 'unanswered') return { kind: 'none', meaning: 'not_sent', evidence: `no access token: ${reply.evidence}` }
  const body = parseObject(reply.body)
  const token = textOf(body, 'access_token')
  const seconds = Number(body?.['expires_in'])
  if (reply.status === 200 && token !== undefined) {
    return { kind: 'token', token, seconds: Number.isFinite(seconds) ? seconds : 0 }
  }
  const evidence = `no access token: ${reply.status === 200 ? 'an unreadable answer' : evidenceOf(reply)}`
  return { kind: 'none', meaning: isRefusal(reply.status) ? 'refused' : 'not_sent', evidence }
}

/** Reads MTN's answer to `POST /collection/v1_0/requesttopay`. 409: MTN has this request already. */
export function translateRequested(reply: GatewayReply): OpenedPayment {
  const evidence = evidenceOf(reply)
  if (reply.kind === 'unanswered') return { meaning: 'unanswered', evidence }
  if (reply.status === 202 || reply.status === 409) return { meaning: 'prompted' }
  return { meaning: isRefusal(reply.status) ? 'refused' : 'unanswered', evidence }
}

/** MTN's reasons, in words for the payer. */
const reasons: Readonly<Record<string, string>> = {
  APPROVAL_REJECTED: 'The payment was declined on the phone.',
  EXPIRED: 'The payment was not approved in time.',
  NOT_ENOUGH_FUNDS: 'There is not enough money in the mobile money wallet.',
  PAYER_LIMIT_REACHED: 'The mobile money wallet has reached its limit.',
  PAYER_NOT_FOUND: 'This number has no MTN mobile money wallet.',
}

/** Finds the reason in words for the payer. MTN writes it as a text, or as an object with a code. */
function reasonOf(body: Readonly<Record<string, unknown>>): string {
  const code = textOf(body, 'reason') ?? textOf(objectOf(body['reason']), 'code') ?? ''
  return Object.hasOwn(reasons, code) ? (reasons[code] ?? '') : 'The payment failed.'
}

/** Reads `101.99`, `101.9` or `101` exactly. @returns undefined for anything but a whole number of pesewas */
function pesewasIn(value: unknown): number | undefined {
  const [, whole, part = ''] = /^(\d{1,9})(?:\.(\d{1,2})0*)?$/.exec(String(value)) ?? []
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

function translateSuccess(body: Readonly<Record<string, unknown>>, evidence: string): PaymentAnswer {
  const reference = textOf(body, 'externalId')
  const amountPesewas = pesewasIn(body['amount'])
  const currency = textOf(body, 'currency')
  // A success without the paid amount proves nothing.
  if (reference === undefined || amountPesewas === undefined || currency === undefined) return { meaning: 'unanswered', evidence }
  return { meaning: 'paid', reference, amountPesewas, currency, channel: 'mobile_money', evidence }
}

/** Reads MTN's answer to `GET /collection/v1_0/requesttopay/<reference id>`. */
export function translateStatus(reply: GatewayReply): PaymentAnswer {
  const evidence = evidenceOf(reply)
  if (reply.kind === 'unanswered') return { meaning: 'unanswered', evidence }
  const body = parseObject(reply.body)
  if (reply.status === 404 && textOf(body, 'code') === 'RESOURCE_NOT_FOUND') return { meaning: 'not_known', evidence }
  if (reply.status !== 200 || !body) return { meaning: 'unanswered', evidence }
  const status = textOf(body, 'status')
  if (status === 'SUCCESSFUL') return translateSuccess(body, evidence)
  if (status === 'FAILED') return { meaning: 'failed', evidence, reason: reasonOf(body) }
  return { meaning: status === 'PENDING' ? 'in_progress' : 'unanswered', evidence }
}
