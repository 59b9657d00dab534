/**
 * Hubtel Commission Services: airtime, data bundles, ECG, Ghana Water, DSTV, GOtv and StarTimes in one HTTP format.
 *
 * Written from the public documentation; never tried against a live account. Ids, hosts, codes and limits may differ and are
 * configuration: see `settings.ts`.
 *
 * The documents do not describe a second request with the same `ClientReference`, so an attempt is sent once at most.
 * Afterwards there are callbacks and the transaction status, which has its own host and account id and answers only machines
 * on Hubtel's list. Callbacks are unsigned and go to an address per attempt.
 */

import type { Adapter, AdapterOptions } from '../adapter.ts'
import { callSupplier, type SupplierReply } from '../calling/call-supplier.ts'
import { accountCredential, withoutSecret } from '../calling/open-api-key-account.ts'
import { openSupplierHttpClient, type SupplierHttpClient } from '../calling/supplier-http-client.ts'
import type {
  AirtimeSupplier,
  AskSchedule,
  BillAccount,
  BillRequest,
  BillSupplier,
  DataSupplier,
  OutgoingAttempt,
  SupplierAnswer,
} from '../ports.ts'
import { isPlainAccount, type Payment, withCountryCode, writePaymentBody } from './payment-body.ts'
import { checkHubtelSettings, type HubtelVocabulary, readHubtelSettings } from './settings.ts'
import { translateBalance, translateCallback, translatePayment, translateStatus } from './translate.ts'
import { findBundle, readAccountName, readBillLookup, readFailedQuery, readSessionId, translateQuery } from './translate-query.ts'

export type HubtelSupplier = DataSupplier & AirtimeSupplier & BillSupplier

/** The form that Hubtel accepts as `ClientReference`. */
const referencePattern = /^[A-Za-z0-9-]{1,32}$/

/** Time limit of a query before a payment, so that the payment can be sent before the send deadline. */
const querySecondsMax = 5

/** The first look-up comes after the time for the callback. Then the longer delays of the usual schedule apply. */
function scheduleOf({ times }: AdapterOptions): AskSchedule {
  const { askSchedule, callbackPatienceSeconds, unfulfilledProofSeconds } = times
  const later = askSchedule.delaysSeconds.filter((seconds) => seconds > callbackPatienceSeconds)
  return { ...askSchedule, delaysSeconds: [callbackPatienceSeconds, ...later], unfulfilledProofSeconds }
}

/** The calls that can be made at an account. */
type HubtelClient = {
  readonly vocabulary: HubtelVocabulary
  query(serviceId: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<SupplierReply>
  pay(payment: Payment, attempt: OutgoingAttempt, signal: AbortSignal): Promise<SupplierAnswer>
  readStatus(outgoingReference: string, signal: AbortSignal): Promise<SupplierReply>
  readBalance(signal: AbortSignal): Promise<SupplierReply>
  freeSlots(): number
  close(): Promise<void>
}

function openHubtelClient(options: AdapterOptions): HubtelClient {
  const vocabulary = readHubtelSettings(options.settings)
  const [apiId, apiKey] = [accountCredential(options, 'apiId'), accountCredential(options, 'apiKey')]
  const basic = Buffer.from(`${apiId}:${apiKey}`).toString('base64')
  const hostOf = (url: string) => (options.isSimulated ? options.baseUrl : url)
  const services = openSupplierHttpClient({ ...options, timeouts: options.times.timeouts })
  // Slots and rate are the supplier's, so all its hosts share them.
  const openBeside = (baseUrl: string) =>
    openSupplierHttpClient({ ...options, baseUrl, timeouts: options.times.timeouts, pace: services.pace })
  const status = openBeside(hostOf(vocabulary.statusBaseUrl))
  const balance = openBeside(hostOf(vocabulary.balanceBaseUrl))
  const headers = { authorization: `Basic ${basic}` }

  const withoutCredentials = (reply: SupplierReply) => withoutSecret(withoutSecret(reply, apiKey), basic)

  async function get(line: SupplierHttpClient, path: string, signal: AbortSignal): Promise<SupplierReply> {
    return withoutCredentials(await callSupplier(line, { method: 'GET', path, headers }, signal))
  }
  const servicePath = (serviceId: string) => `/commissionservices/${vocabulary.prepaidDepositId}/${serviceId}`

  return {
    vocabulary,
    query: (serviceId, query, signal) =>
      get(services, `${servicePath(serviceId)}?${new URLSearchParams(query).toString()}`, signal),
    pay: async (payment, attempt, signal) => {
      const { outgoingReference, mayStillSend } = attempt
      if (!referencePattern.test(outgoingReference)) {
        return { meaning: 'rejected_request', evidence: 'our reference does not fit: 1 to 32 letters, digits and hyphens' }
      }
      const request = {
        method: 'POST' as const,
        path: servicePath(payment.serviceId),
        headers: { ...headers, 'content-type': 'application/json' },
        body: writePaymentBody(payment, outgoingReference, options.callbackUrl(outgoingReference)),
        mayStillSend,
      }
      const reply = withoutCredentials(await callSupplier(services, request, signal))
      return translatePayment(reply, outgoingReference, vocabulary)
    },
    readStatus: (outgoingReference, signal) => {
      const query = new URLSearchParams({ clientReference: outgoingReference }).toString()
      return get(status, `/transactions/${vocabulary.posSalesId}/status?${query}`, signal)
    },
    readBalance: (signal) => get(balance, `/api/inter-transfers/prepaid/${vocabulary.prepaidDepositId}`, signal),
    freeSlots: () => services.pace.free(),
    close: async () => {
      await Promise.all([services.close(), status.close(), balance.close()])
    },
  }
}

/** The answer when the settings lack this service: no order of this kind can be sent. */
function noService(what: string): SupplierAnswer {
  return { meaning: 'rejected_platform', cause: 'disabled', evidence: `no service id is configured for ${what}` }
}

/** Makes a query with the short time limit, before a payment. */
function querySoon(
  line: HubtelClient,
  serviceId: string,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<SupplierReply> {
  return line.query(serviceId, query, AbortSignal.any([signal, AbortSignal.timeout(querySecondsMax * 1_000)]))
}

const buyData =
  (line: HubtelClient): HubtelSupplier['buyData'] =>
  async (request, attempt, signal) => {
    const serviceId = line.vocabulary.dataServices.get(request.network)
    if (serviceId === undefined) {
      return { meaning: 'rejected_request', evidence: `no service id is configured for data on ${request.network}` }
    }
    const destination = withCountryCode(request.recipient)
    const reply = await querySoon(line, serviceId, { destination }, signal)
    const result = translateQuery(reply, line.vocabulary)
    if (result.meaning === 'unavailable') return readFailedQuery(reply, line.vocabulary)
    const bundle = result.meaning === 'rows' ? findBundle(result.rows, request.packageCode) : undefined
    if (bundle === undefined) {
      // Nothing was sent. Another supplier may have this bundle, so the order may go there.
      const evidence = `Hubtel offers no bundle ${request.packageCode} on ${request.network} to this number`
      return { meaning: 'rejected_platform', evidence }
    }
    // The amount must equal the bundle's price in the query's answer, or Hubtel refuses the payment.
    const payment = { serviceId, destination, amountPesewas: bundle.pricePesewas, extraData: { bundle: bundle.value } }
    return line.pay(payment, attempt, signal)
  }

const buyAirtime =
  (line: HubtelClient): HubtelSupplier['buyAirtime'] =>
  async (request, attempt, signal) => {
    const { airtimeServices, airtimeMaximumPesewas } = line.vocabulary
    const serviceId = airtimeServices.get(request.network)
    if (serviceId === undefined) return noService(`airtime on ${request.network}`)
    if (request.amountPesewas > airtimeMaximumPesewas) {
      return {
        meaning: 'rejected_request',
        evidence: `Hubtel takes at most GHS ${airtimeMaximumPesewas / 100} of airtime at once`,
      }
    }
    const destination = withCountryCode(request.recipient)
    return line.pay({ serviceId, destination, amountPesewas: request.amountPesewas }, attempt, signal)
  }

/** The query for an account: by phone for ECG, by account number and phone for Ghana Water, by smartcard for television. */
function accountQuery({ biller, account, phone = '' }: BillAccount): Record<string, string> {
  if (biller === 'ecg') return { destination: withCountryCode(phone) }
  if (biller === 'ghana_water') return { destination: account, mobile: withCountryCode(phone) }
  return { destination: account }
}

/** Pays with a new session, because each session is valid for one payment. */
async function payWater(
  line: HubtelClient,
  serviceId: string,
  request: BillRequest & { readonly phone: string },
  attempt: OutgoingAttempt,
  signal: AbortSignal,
): Promise<SupplierAnswer> {
  const { email } = line.vocabulary
  if (email === undefined) {
    return { meaning: 'rejected_platform', cause: 'disabled', evidence: 'the setting email is missing; Ghana Water wants one' }
  }
  const reply = await querySoon(line, serviceId, accountQuery(request), signal)
  const result = translateQuery(reply, line.vocabulary)
  if (result.meaning === 'unavailable') return readFailedQuery(reply, line.vocabulary)
  // The biller itself does not know this account, and the payment has not been sent, so the refusal is definitive.
  if (result.meaning === 'not_found') return { meaning: 'rejected_recipient', evidence: result.evidence }
  const session = readSessionId(result.rows)
  if (session === undefined) {
    return { meaning: 'unreachable', hasSpoken: true, evidence: 'the query before the payment gave no session' }
  }
  const { amountPesewas } = request
  const extraData = { bundle: request.account, Email: email, SessionId: session }
  const payment = { serviceId, destination: withCountryCode(request.phone), amountPesewas, extraData }
  const answer = await line.pay(payment, attempt, signal)
  const accountName = answer.accountName ?? readAccountName(result.rows)
  return accountName === undefined ? answer : { ...answer, accountName }
}

const payBill =
  (line: HubtelClient): HubtelSupplier['payBill'] =>
  async (request, attempt, signal) => {
    const { biller, account, phone, amountPesewas } = request
    const serviceId = line.vocabulary.billServices.get(biller)
    if (serviceId === undefined) return noService(`the biller ${biller}`)
    if (!isPlainAccount(account)) return { meaning: 'rejected_recipient', evidence: 'the account is not printable ASCII' }
    if (biller !== 'ecg' && biller !== 'ghana_water')
      return line.pay({ serviceId, destination: account, amountPesewas }, attempt, signal)
    if (phone === undefined) return { meaning: 'rejected_request', evidence: `a payment to ${biller} needs a phone` }
    if (biller === 'ghana_water') return payWater(line, serviceId, { ...request, phone }, attempt, signal)
    const payment = { serviceId, destination: withCountryCode(phone), amountPesewas, extraData: { bundle: account } }
    return line.pay(payment, attempt, signal)
  }

const lookUpAccount =
  (line: HubtelClient): HubtelSupplier['lookUpAccount'] =>
  async (account, signal) => {
    const serviceId = line.vocabulary.billServices.get(account.biller)
    if (serviceId === undefined) return { meaning: 'unavailable', evidence: `no service id is configured for ${account.biller}` }
    // A query about ECG sends the phone and no account, so a malformed account does no harm.
    if (account.biller !== 'ecg' && !isPlainAccount(account.account)) return { meaning: 'not_found' }
    const reply = await line.query(serviceId, accountQuery(account), signal)
    return readBillLookup(account.biller, translateQuery(reply, line.vocabulary))
  }

/** Opens a Hubtel account. @throws Error when a credential or an id is missing or a setting is wrong */
function openHubtel(options: AdapterOptions): HubtelSupplier {
  const line = openHubtelClient(options)
  return {
    name: options.name,
    resendClass: 'undocumented',
    resendSafeSeconds: null,
    askSchedule: scheduleOf(options),
    probeSeconds: options.times.probeSeconds,
    minimumFloatPesewas: line.vocabulary.minimumFloatPesewas,
    callbackIsProof: true,
    freeSlots: () => line.freeSlots(),
    close: () => line.close(),
    buyData: buyData(line),
    buyAirtime: buyAirtime(line),
    payBill: payBill(line),
    lookUpAccount: lookUpAccount(line),
    askStatus: async ({ outgoingReference }, signal) =>
      translateStatus(await line.readStatus(outgoingReference, signal), outgoingReference, line.vocabulary),
    readFloat: async (signal) => translateBalance(await line.readBalance(signal), line.vocabulary),
    readAddressedCallback: (outgoingReference, rawBody) =>
      translateCallback(rawBody.toString('utf8'), outgoingReference, line.vocabulary),
  }
}

export const hubtel: Adapter = {
  credentialNames: ['apiId', 'apiKey'],
  usualBaseUrl: 'https://cs.hubtel.com',
  checkSettings: (settings) => void checkHubtelSettings(settings),
  open: openHubtel,
}
