/**
 * DataKazina: data bundles for MTN, Telecel and AT in one HTTP API.
 *
 * Written from the public documentation; never tried against a live account. The names of requests and of their fields are
 * documented; the envelope of the answers, the words in them and the error codes are assumptions, and configuration where
 * they may differ: see `settings.ts`.
 *
 * A repeated reference is answered with HTTP 422, so sending it again does not buy twice, as long as DataKazina remembers
 * it. The status look-up accepts only DataKazina's own transaction code. An attempt whose first answer was lost has none, so
 * the same reference is sent again:
 *
 * - 422 with the earlier submit's code (an assumption): a look-up of that code gives the status.
 * - 422 without it: the order was accepted, and no more can be learnt here. It stays `accepted`, is asked about on schedule,
 *   and goes to a person, who looks it up in DataKazina's console.
 * - accepted: the first send never arrived, this one did, and its answer has the code.
 * - a refusal: it proves nothing about the first send, which may be on its way; the order stays unknown and goes to a
 *   person.
 */
import type { Adapter, AdapterOptions, OfferedPackage } from '../adapter.ts'
import type { SupplierRequest } from '../calling/call-supplier.ts'
import { findReferenceFault, openApiKeyAccount } from '../calling/open-api-key-account.ts'
import type { DataBundleRequest, DataSupplier, OutgoingAttempt, SupplierAnswer } from '../ports.ts'
import { type DatakazinaVocabulary, readDatakazinaSettings } from './settings.ts'
import { translateBalance, translatePackages, translatePurchase, translateStatus } from './translate.ts'

/** DataKazina does not document how long it remembers a reference. Other suppliers promise a day; this is an hour less. */
const resendSafeSeconds = 23 * 3_600

/**
 * The package's code as `shared_bundle`: a number in the configured unit. It must equal the sold size, or nothing is sent,
 * so that a price list in another unit never buys a thousandth of a bundle.
 */
function sharedBundleOf(request: OfferedPackage, vocabulary: DatakazinaVocabulary): number | undefined {
  const size = /^\d{1,9}(\.\d{1,3})?$/.test(request.packageCode) ? Number(request.packageCode) : undefined
  const perGb = vocabulary.sharedBundleUnit === 'MB' ? vocabulary.megabytesPerGigabyte : 1
  const isWhatWasSold = size !== undefined && Math.abs(size - request.volumeGb * perGb) < 0.001
  return isWhatWasSold ? size : undefined
}

function networkOf(network: string, vocabulary: DatakazinaVocabulary): number | undefined {
  return Object.hasOwn(vocabulary.networks, network) ? vocabulary.networks[network] : undefined
}

function findCodeProblem(offered: OfferedPackage, vocabulary: DatakazinaVocabulary): string | undefined {
  if (networkOf(offered.network, vocabulary) === undefined) {
    return `no number is configured for the network ${offered.network}`
  }
  if (sharedBundleOf(offered, vocabulary) !== undefined) return undefined
  const { sharedBundleUnit: unit, megabytesPerGigabyte } = vocabulary
  const wanted = unit === 'MB' ? offered.volumeGb * megabytesPerGigabyte : offered.volumeGb
  return `the code ${offered.packageCode} is not ${offered.volumeGb} GB in ${unit}, which is ${wanted}`
}

function purchaseRequest(
  request: DataBundleRequest,
  attempt: OutgoingAttempt,
  vocabulary: DatakazinaVocabulary,
): SupplierRequest | SupplierAnswer {
  const problem = findCodeProblem(request, vocabulary)
  if (problem !== undefined) return { meaning: 'rejected_request', evidence: problem }
  const network = networkOf(request.network, vocabulary)
  const sharedBundle = sharedBundleOf(request, vocabulary)
  const unfit = findReferenceFault(attempt.outgoingReference)
  if (unfit) return unfit
  const body = {
    recipient_msisdn: request.recipient,
    network_id: network,
    shared_bundle: sharedBundle,
    incoming_api_ref: attempt.outgoingReference,
  }
  return {
    method: 'POST',
    path: `${vocabulary.apiPath}/buy-data-package`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    mayStillSend: attempt.mayStillSend,
  }
}

/** Opens a DataKazina account. @throws Error when a credential is missing or a setting is wrong */
function openDatakazina(options: AdapterOptions): DataSupplier {
  const vocabulary = readDatakazinaSettings(options.settings)
  const { basics, call, get } = openApiKeyAccount(options, vocabulary)

  return {
    ...basics,
    resendClass: 'rejects-duplicate',
    resendSafeSeconds,
    statusNeedsSupplierReference: true,
    buyData: async (request, attempt, signal) => {
      const purchase = purchaseRequest(request, attempt, vocabulary)
      if ('meaning' in purchase) return purchase
      return translatePurchase(await call(purchase, signal), attempt.outgoingReference, vocabulary)
    },
    askStatus: async ({ outgoingReference, supplierReference }, signal) => {
      if (supplierReference === null) return { meaning: 'unknown', evidence: 'a look-up needs their transaction code' }
      const reply = await get(`/order-status?transaction_code=${encodeURIComponent(supplierReference)}`, signal)
      return translateStatus(reply, { outgoingReference, supplierReference }, vocabulary)
    },
    readFloat: async (signal) => translateBalance(await get('/check-console-balance', signal), vocabulary),
    listPackages: async (signal) => translatePackages(await get('/fetch-data-packages', signal), vocabulary),
  }
}

export const datakazina: Adapter = {
  credentialNames: ['apiKey'],
  // DataKazina gives each customer another address.
  usualBaseUrl: undefined,
  checkSettings: (settings) => void readDatakazinaSettings(settings),
  findCodeProblem: (settings, offered) => findCodeProblem(offered, readDatakazinaSettings(settings)),
  open: openDatakazina,
}
