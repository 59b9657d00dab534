/**
 * DataMart: data bundles for MTN, Telecel and AT in one HTTP API (https://api.datamartgh.shop).
 *
 * Written from the public documentation and public integrations; never tried against a live account. Paths, network words,
 * status words and error codes may differ and are configuration: see `settings.ts`.
 *
 * The documents promise that a repeated `X-Idempotency-Key` gives the original answer for 24 hours without a second charge.
 * A look-up by our `ref` exists too, so no re-send is needed to learn an outcome.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Adapter, AdapterOptions, OfferedPackage } from '../adapter.ts'
import type { SupplierRequest } from '../calling/call-supplier.ts'
import { accountCredential, findReferenceFault, openApiKeyAccount } from '../calling/open-api-key-account.ts'
import type {
  CallbackHeaders,
  CallbackReading,
  DataBundleRequest,
  DataSupplier,
  OutgoingAttempt,
  SupplierAnswer,
} from '../ports.ts'
import { type DatamartVocabulary, readDatamartSettings } from './settings.ts'
import { translateBalance, translateOrderCallback, translatePurchase, translateStatus } from './translate.ts'

/** For this long a repeated reference surely buys nothing new. DataMart promises 24 hours; this is an hour less. */
const resendSafeSeconds = 23 * 3_600

function networkOf(network: string, vocabulary: DatamartVocabulary): string | undefined {
  return Object.hasOwn(vocabulary.networks, network) ? vocabulary.networks[network] : undefined
}

/** DataMart's code of a package is its size in GB, so a wrong code would buy another bundle. */
function findCodeProblem(offered: OfferedPackage, vocabulary: DatamartVocabulary): string | undefined {
  const { network, volumeGb, packageCode } = offered
  if (networkOf(network, vocabulary) === undefined) return `no word is configured for the network ${network}`
  const capacity = /^\d{1,6}(\.\d{1,3})?$/.test(packageCode) ? Number(packageCode) : undefined
  if (capacity !== volumeGb) return `the code ${packageCode} is not the capacity ${volumeGb}, which DataMart counts in GB`
  if (vocabulary.capacities.length === 0 || vocabulary.capacities.includes(volumeGb)) return undefined
  return `the capacity ${volumeGb} is not one of those in settings.capacities (${vocabulary.capacities.join(', ')})`
}

function purchaseRequest(
  request: DataBundleRequest,
  attempt: OutgoingAttempt,
  vocabulary: DatamartVocabulary,
): SupplierRequest | SupplierAnswer {
  const problem = findCodeProblem(request, vocabulary)
  if (problem !== undefined) return { meaning: 'rejected_request', evidence: problem }
  const network = networkOf(request.network, vocabulary)
  const unfit = findReferenceFault(attempt.outgoingReference)
  if (unfit) return unfit
  const body = {
    phoneNumber: request.recipient,
    network,
    capacity: request.packageCode,
    gateway: vocabulary.gateway,
    ref: attempt.outgoingReference,
  }
  return {
    method: 'POST',
    path: `${vocabulary.apiPath}/purchase`,
    headers: { 'content-type': 'application/json', 'x-idempotency-key': attempt.outgoingReference },
    body: JSON.stringify(body),
    mayStillSend: attempt.mayStillSend,
  }
}

/** Compares the given signature with that of the unparsed body, in constant time. */
function isSigned(headers: CallbackHeaders, rawBody: Buffer, webhookSecret: string): boolean {
  const header = headers['x-datamart-signature']
  if (typeof header !== 'string' || !/^(sha256=)?[0-9a-f]{64}$/i.test(header.trim())) return false
  const given = Buffer.from(header.trim().slice(-64), 'hex')
  return timingSafeEqual(given, createHmac('sha256', webhookSecret).update(rawBody).digest())
}

/** Opens a DataMart account. @throws Error when a credential is missing or a setting is wrong */
function openDatamart(options: AdapterOptions): DataSupplier {
  const vocabulary = readDatamartSettings(options.settings)
  const { basics, call, get } = openApiKeyAccount(options, vocabulary)
  const webhookSecret = accountCredential(options, 'webhookSecret')

  return {
    ...basics,
    resendClass: 'returns-original',
    resendSafeSeconds,
    buyData: async (request, attempt, signal) => {
      const purchase = purchaseRequest(request, attempt, vocabulary)
      if ('meaning' in purchase) return purchase
      return translatePurchase(await call(purchase, signal), attempt.outgoingReference, vocabulary)
    },
    askStatus: async ({ outgoingReference }, signal) => {
      const reply = await get(`/order-status/${encodeURIComponent(outgoingReference)}`, signal)
      return translateStatus(reply, outgoingReference, vocabulary)
    },
    readFloat: async (signal) => translateBalance(await get('/balance', signal), vocabulary),
    readCallback: (headers, rawBody): CallbackReading => {
      if (!isSigned(headers, rawBody, webhookSecret)) return { meaning: 'forged' }
      const read = translateOrderCallback(rawBody.toString('utf8'), vocabulary)
      return read ? { meaning: 'read', ...read } : { meaning: 'unreadable', evidence: 'signed, but it names no order' }
    },
  }
}

export const datamart: Adapter = {
  credentialNames: ['apiKey', 'webhookSecret'],
  usualBaseUrl: 'https://api.datamartgh.shop',
  checkSettings: (settings) => void readDatamartSettings(settings),
  findCodeProblem: (settings, offered) => findCodeProblem(offered, readDatamartSettings(settings)),
  open: openDatamart,
}
