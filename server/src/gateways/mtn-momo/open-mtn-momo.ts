import { createHash } from 'node:crypto'
import type { PaymentGateway, PaymentRequest } from '../../money/top-ups/payment-gateway.ts'
import { callGateway, type GatewayReply } from '../call-gateway.ts'
import type { GatewayAdapter } from '../gateway-adapter.ts'
import { createAccessTokenCache, type TokenAccount } from './create-access-token-cache.ts'
import { type TokenAnswer, translateRequested, translateStatus, translateToken } from './translate-mtn-momo.ts'

const tokens = createAccessTokenCache()

/**
 * MTN's id of a payment: a UUID of version 4 made from our reference. The same reference always gives the same id, so a
 * request that is sent again is the same request.
 */
function referenceIdOf(reference: string): string {
  const bytes = createHash('sha256').update(`mtn-momo ${reference}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

async function takeToken(place: TokenAccount): Promise<TokenAnswer> {
  const kept = tokens.find(place)
  if (kept !== undefined) return { kind: 'token', token: kept, seconds: 0 }
  const { apiUser = '', apiKey = '', subscriptionKey = '' } = place.credentials
  const reply = await callGateway({
    method: 'POST',
    url: `${place.baseUrl}/collection/token/`,
    headers: {
      authorization: `Basic ${Buffer.from(`${apiUser}:${apiKey}`).toString('base64')}`,
      'ocp-apim-subscription-key': subscriptionKey,
      accept: 'application/json',
    },
  })
  const answer = translateToken(reply)
  if (answer.kind === 'token') tokens.keep(place, answer.token, answer.seconds)
  return answer
}

type Sent = GatewayReply | Extract<TokenAnswer, { kind: 'none' }>

/** Sends a request with a token. If the answer is 401, the token may have ended early: sends it once more with a new one. */
async function sendWithToken(
  place: TokenAccount,
  send: (headers: Readonly<Record<string, string>>) => Promise<GatewayReply>,
): Promise<Sent> {
  const { subscriptionKey = '', targetEnvironment = '' } = place.credentials
  const attempt = async (): Promise<Sent> => {
    const answer = await takeToken(place)
    if (answer.kind === 'none') return answer
    return send({
      authorization: `Bearer ${answer.token}`,
      'ocp-apim-subscription-key': subscriptionKey,
      'x-target-environment': targetEnvironment,
      accept: 'application/json',
    })
  }
  const first = await attempt()
  if (first.kind !== 'answered' || first.status !== 401) return first
  tokens.forget(place)
  return attempt()
}

function requestBody({ reference, chargedPesewas, phone = '' }: PaymentRequest): string {
  return JSON.stringify({
    amount: `${Math.floor(chargedPesewas / 100)}.${String(chargedPesewas % 100).padStart(2, '0')}`,
    currency: 'GHS',
    externalId: reference,
    payer: { partyIdType: 'MSISDN', partyId: phone.replace(/^0/, '233') },
    payerMessage: 'Top-up of your wallet',
    payeeNote: reference,
  })
}

function open(baseUrl: string, credentials: Readonly<Record<string, string>>): PaymentGateway {
  const place = { baseUrl, credentials }
  const url = `${baseUrl}/collection/v1_0/requesttopay`
  return {
    name: 'mtn-momo',
    async open(request) {
      const sent = await sendWithToken(place, (headers) =>
        callGateway({
          method: 'POST',
          url,
          headers: {
            ...headers,
            'content-type': 'application/json',
            'x-reference-id': referenceIdOf(request.reference),
            'x-callback-url': request.callbackUrl,
          },
          body: requestBody(request),
        }),
      )
      return sent.kind === 'none' ? { meaning: sent.meaning, evidence: sent.evidence } : translateRequested(sent)
    },
    async ask(reference) {
      const sent = await sendWithToken(place, (headers) =>
        callGateway({ method: 'GET', url: `${url}/${referenceIdOf(reference)}`, headers }),
      )
      return sent.kind === 'none' ? { meaning: 'unanswered', evidence: sent.evidence } : translateStatus(sent)
    },
  }
}

/** MTN MoMo Collections: the payer approves on the phone. It signs no callbacks. */
export const mtnMomoAdapter: GatewayAdapter = {
  name: 'mtn-momo',
  title: 'MTN MoMo, approved on your phone',
  company: 'MTN MoMo',
  kind: 'prompt',
  baseUrl: 'https://proxy.momoapi.mtn.com',
  credentialNames: ['apiUser', 'apiKey', 'subscriptionKey', 'targetEnvironment'],
  simulatedCredentials: {
    apiUser: 'simulated-momo-user',
    apiKey: 'simulated-momo-key',
    subscriptionKey: 'simulated-momo-subscription',
    targetEnvironment: 'mtnghana',
  },
  open,
}
