import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { PaymentCallback, PaymentGateway } from '../../money/top-ups/payment-gateway.ts'
import { callGateway } from '../call-gateway.ts'
import type { GatewayAdapter } from '../gateway-adapter.ts'
import { objectOf, parseObject, textOf } from '../read-object.ts'
import { translateInitialized, translateVerified } from './translate-paystack.ts'

/** Mobile money is first on the page, because we expect most resellers to pay with it. */
const channels = ['mobile_money', 'card', 'bank_transfer'] as const

/** True when the signature is Paystack's: the HMAC-SHA512 of the raw bytes, in hexadecimal, made with the secret key. */
function isSigned(secretKey: string, given: string | string[] | undefined, body: Buffer): boolean {
  if (typeof given !== 'string' || !/^[0-9a-f]{128}$/i.test(given)) return false
  const wanted = createHmac('sha512', secretKey).update(body).digest()
  return timingSafeEqual(Buffer.from(given, 'hex'), wanted)
}

function readCallback(secretKey: string, headers: IncomingHttpHeaders, body: Buffer): PaymentCallback {
  if (!isSigned(secretKey, headers['x-paystack-signature'], body)) return { meaning: 'forged' }
  const data = objectOf(parseObject(body.toString('utf8'))?.['data'])
  // Callbacks about refunds and disputes have the reference in another field than callbacks about charges.
  const reference =
    textOf(data, 'transaction_reference') ?? textOf(objectOf(data?.['transaction']), 'reference') ?? textOf(data, 'reference')
  return reference === undefined ? { meaning: 'unreadable' } : { meaning: 'about', reference }
}

function open(baseUrl: string, credentials: Readonly<Record<string, string>>): PaymentGateway {
  const secretKey = credentials['secretKey'] ?? ''
  const headers = { authorization: `Bearer ${secretKey}`, accept: 'application/json' }
  return {
    name: 'paystack',
    async open({ reference, chargedPesewas, email, returnUrl }) {
      const reply = await callGateway({
        method: 'POST',
        url: `${baseUrl}/transaction/initialize`,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          email,
          // The amount in the smallest unit of the currency: pesewas.
          amount: chargedPesewas,
          currency: 'GHS',
          reference,
          // Address to which Paystack sends the payer's browser back. Its callbacks go to the address that is set at Paystack.
          callback_url: returnUrl,
          channels,
          metadata: { cancel_action: returnUrl },
        }),
      })
      return translateInitialized(reply)
    },
    async ask(reference) {
      const url = `${baseUrl}/transaction/verify/${encodeURIComponent(reference)}`
      return translateVerified(await callGateway({ method: 'GET', url, headers }))
    },
    readCallback: (given, body) => readCallback(secretKey, given, body),
  }
}

/** Paystack: the payer chooses mobile money, card or bank on Paystack's page. */
export const paystackAdapter: GatewayAdapter = {
  name: 'paystack',
  title: 'Mobile money or card',
  company: 'Paystack',
  kind: 'redirect',
  baseUrl: 'https://api.paystack.co',
  credentialNames: ['secretKey'],
  simulatedCredentials: { secretKey: 'sk_test_simulated' },
  open,
}
