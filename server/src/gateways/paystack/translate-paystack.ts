import type { OpenedPayment, PaymentAnswer } from '../../money/top-ups/payment-gateway.ts'
import type { GatewayReply } from '../call-gateway.ts'
import { objectOf, parseObject, textOf } from '../read-object.ts'

const evidenceOf = (reply: GatewayReply): string =>
  reply.kind === 'answered' ? `HTTP ${reply.status}: ${reply.body.slice(0, 1_500)}` : reply.evidence

/** Only a page over HTTPS is given to a payer, or the simulator's on this machine. */
function isPayable(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname))
}

/** Reads Paystack's answer to `POST /transaction/initialize`. */
export function translateInitialized(reply: GatewayReply): OpenedPayment {
  const evidence = evidenceOf(reply)
  if (reply.kind === 'unanswered') return { meaning: 'unanswered', evidence }
  const body = parseObject(reply.body)
  const paymentUrl = textOf(objectOf(body?.['data']), 'authorization_url')
  if (reply.status === 200 && body?.['status'] === true && paymentUrl !== undefined && isPayable(paymentUrl)) {
    return { meaning: 'opened', paymentUrl }
  }
  const isRefusal = reply.status >= 400 && reply.status < 500 && reply.status !== 408 && reply.status !== 429
  return { meaning: isRefusal ? 'refused' : 'unanswered', evidence }
}

/** Paystack's states of a transaction, apart from `success`. Any other state counts as unanswered. */
const meanings: Readonly<Record<string, 'failed' | 'not_begun' | 'in_progress'>> = {
  failed: 'failed',
  reversed: 'failed',
  // Paystack answers this also for a page that nobody has used yet.
  abandoned: 'not_begun',
  ongoing: 'in_progress',
  pending: 'in_progress',
  processing: 'in_progress',
  queued: 'in_progress',
}

function translateTransaction(data: Readonly<Record<string, unknown>>, evidence: string): PaymentAnswer {
  const status = textOf(data, 'status') ?? ''
  const { amount } = data
  const reference = textOf(data, 'reference')
  const currency = textOf(data, 'currency')
  if (status === 'success') {
    // A success without the paid amount proves nothing.
    if (!Number.isSafeInteger(amount) || reference === undefined || currency === undefined) {
      return { meaning: 'unanswered', evidence }
    }
    return {
      meaning: 'paid',
      reference,
      amountPesewas: amount as number,
      currency,
      channel: textOf(data, 'channel'),
      evidence,
    }
  }
  const meaning = Object.hasOwn(meanings, status) ? meanings[status] : undefined
  if (!meaning) return { meaning: 'unanswered', evidence }
  return { meaning, evidence, reason: status === 'reversed' ? 'The payment was sent back.' : textOf(data, 'gateway_response') }
}

/** Reads Paystack's answer to `GET /transaction/verify/<reference>`. */
export function translateVerified(reply: GatewayReply): PaymentAnswer {
  const evidence = evidenceOf(reply)
  if (reply.kind === 'unanswered') return { meaning: 'unanswered', evidence }
  const body = parseObject(reply.body)
  const data = objectOf(body?.['data'])
  if (reply.status === 200 && body?.['status'] === true && data) return translateTransaction(data, evidence)
  const isNotKnown =
    (reply.status === 400 || reply.status === 404) &&
    body?.['status'] === false &&
    (body['code'] === 'transaction_not_found' || /reference not found/i.test(textOf(body, 'message') ?? ''))
  return { meaning: isNotKnown ? 'not_known' : 'unanswered', evidence }
}
