import type { SupplierReply } from '../calling/call-supplier.ts'
import { evidenceFrom, evidenceOf } from '../calling/evidence.ts'
import { type JsonObject, numberField, referenceField, textField } from '../calling/read-json.ts'
import { reportedName, reportedPesewas, requireReference, throttledSeconds } from '../calling/reported-values.ts'
import type { CallbackReading, FloatAnswer, SupplierAnswer } from '../ports.ts'
import { type HubtelAnswer, readHubtelAnswer, withPlainNames } from './read-answer.ts'
import type { HubtelVocabulary } from './settings.ts'

/** Words in a failure that say that our deposit is empty, whatever the code. */
const emptyFloatWords = /insufficient/i
/**
 * Words of a validation error that reports an earlier payment under our reference. That payment exists, so this is no failure.
 */
const duplicateWords = /duplicate|already (exist|been used|been processed|processed|submitted)/i
/** Words of a validation error that blame the number or account, not the rest of the request. */
const recipientWords = /destination|recipient|subscriber|msisdn|phone|mobile|number|meter|smart ?card|account/i

/**
 * The transaction's id, its cost and commission, and the account's holder in an answer. They do not change the answer's meaning.
 * Cost and commission are left out unless Hubtel has accepted the order.
 */
function detailsOf(data: JsonObject | undefined, meaning: SupplierAnswer['meaning'], costField: 'amount' | 'amountdebited') {
  const isTaken = meaning === 'delivered' || meaning === 'accepted'
  const theirs = referenceField(data, 'transactionid')
  const cost = isTaken ? reportedPesewas(numberField(data, costField)) : undefined
  const commission = isTaken ? reportedPesewas(numberField(withPlainNames(data?.meta), 'commission')) : undefined
  const accountName = reportedName(data?.recipientname)
  return {
    ...(theirs === undefined ? {} : { supplierReference: theirs }),
    ...(cost === undefined ? {} : { reportedCostPesewas: cost }),
    ...(commission === undefined ? {} : { reportedCommissionPesewas: commission }),
    ...(accountName === undefined ? {} : { accountName }),
  }
}

function speaksOfAnother(data: JsonObject | undefined, outgoingReference: string): boolean {
  const reference = textField(data, 'clientreference')
  return reference !== undefined && reference !== outgoingReference
}

/** Translates an answer by which Hubtel refuses a payment or reports its failure. */
function readRefusal(answer: HubtelAnswer, evidence: string): SupplierAnswer {
  // Hubtel has answered "insufficient" and delivered afterwards, so the word proves nothing, whatever the code.
  if (answer.meaning === 'float' || emptyFloatWords.test(answer.text)) return { meaning: 'unknown', suspects: 'float', evidence }
  if (duplicateWords.test(answer.text)) return { meaning: 'duplicate_exists', evidence }
  if (answer.meaning === 'failed_if_final') return { meaning: 'unknown', evidence }
  return { meaning: recipientWords.test(answer.text) ? 'rejected_recipient' : 'rejected_request', evidence }
}

function readPayment(answer: HubtelAnswer, outgoingReference: string, evidence: string): SupplierAnswer {
  if (speaksOfAnother(answer.data, outgoingReference)) {
    return { meaning: 'unknown', evidence: evidenceOf(`it speaks of another reference: ${evidence}`) }
  }
  switch (answer.meaning) {
    case 'delivered':
    case 'accepted': {
      const taken = { meaning: answer.meaning, evidence, ...detailsOf(answer.data, answer.meaning, 'amountdebited') }
      return requireReference(taken, textField(answer.data, 'clientreference') === outgoingReference)
    }
    case 'auth':
    case 'disabled':
      return { meaning: 'rejected_platform', cause: answer.meaning, evidence }
    case 'float':
    case 'failed_if_final':
    case 'refused':
      return readRefusal(answer, evidence)
    case 'unknown':
    case undefined:
      return { meaning: 'unknown', evidence, ...detailsOf(answer.data, 'unknown', 'amountdebited') }
  }
  return answer.meaning satisfies never
}

/**
 * Translates the answer to a payment (POST). Without Hubtel's own JSON and a known code it is `unknown`, except for a 401
 * without a body and a 429, which Hubtel's front end sends before any work is done.
 */
export function translatePayment(reply: SupplierReply, outgoingReference: string, vocabulary: HubtelVocabulary): SupplierAnswer {
  const evidence = evidenceFrom(reply)
  if (reply.kind === 'not_sent' || reply.kind === 'unreachable') return { meaning: reply.kind, evidence }
  if (reply.kind === 'lost' || reply.status >= 500) return { meaning: 'unknown', evidence }
  if (reply.status === 429)
    return { meaning: 'throttled', retryAfterSeconds: throttledSeconds(reply.retryAfterSeconds), evidence }
  if (reply.status === 401 && reply.body.trim() === '') return { meaning: 'rejected_platform', cause: 'auth', evidence }
  const answer = readHubtelAnswer(reply.body, vocabulary)
  if (answer === undefined) return { meaning: 'unknown', evidence }
  const isGoodNews = answer.meaning === 'delivered' || answer.meaning === 'accepted'
  // A success under an HTTP error status contradicts itself, so it proves nothing.
  if (isGoodNews && reply.status >= 300) return { meaning: 'unknown', evidence }
  return readPayment(answer, outgoingReference, evidence)
}

function isYes(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return undefined
  const word = value.trim().toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : undefined
}

/**
 * The meaning of `status` and `isFulfilled` together. Money taken without a delivery means that the order is still on its
 * way.
 */
function readFulfilment(data: JsonObject): 'delivered' | 'accepted' | 'unfulfilled' | 'unknown' {
  const status = textField(data, 'status')?.toLowerCase()
  const isFulfilled = isYes(data.isfulfilled)
  if (status === 'paid') return isFulfilled === true ? 'delivered' : 'accepted'
  if (status === 'unpaid' && isFulfilled === false) return 'unfulfilled'
  return 'unknown'
}

/**
 * Translates the transaction status. Hubtel answers only machines on its list, so a 403, a 404 or a page of HTML is `unknown`
 * and never "not found". Every other error of the look-up itself is `unknown` too.
 */
export function translateStatus(reply: SupplierReply, outgoingReference: string, vocabulary: HubtelVocabulary): SupplierAnswer {
  const evidence = evidenceFrom(reply)
  const unknown: SupplierAnswer = { meaning: 'unknown', evidence }
  if (reply.kind !== 'answered' || reply.status !== 200) return unknown
  const answer = readHubtelAnswer(reply.body, vocabulary)
  const data = answer?.data
  if (answer === undefined || data === undefined || textField(data, 'clientreference') !== outgoingReference) return unknown
  const fulfilment = readFulfilment(data)
  const details = detailsOf(data, fulfilment, 'amount')
  if (answer.meaning === 'delivered') return { meaning: fulfilment, evidence, ...details }
  // A failure that both the code and the status report is final, unless it is about our deposit.
  const isFailure = answer.meaning === 'failed_if_final' && fulfilment === 'unfulfilled'
  return isFailure && !emptyFloatWords.test(answer.text) ? { meaning: 'failed', evidence, ...details } : unknown
}

/** The meaning of a callback's code. Only Hubtel knows the callback's address, so the code is proof. */
function readCallbackMeaning(answer: HubtelAnswer): 'delivered' | 'failed' | 'accepted' | 'unknown' {
  switch (answer.meaning) {
    case 'delivered':
    case 'accepted':
      return answer.meaning
    case 'failed_if_final':
    case 'refused':
      return emptyFloatWords.test(answer.text) || duplicateWords.test(answer.text) ? 'unknown' : 'failed'
    // The answer is about our float or our account and proves nothing about an accepted order. The look-up of the order's
    // status does.
    case 'float':
    case 'auth':
    case 'disabled':
    case 'unknown':
    case undefined:
      return 'unknown'
  }
  return answer.meaning satisfies never
}

/** Translates a callback that came to the address of an attempt. Its text must name the same attempt. */
export function translateCallback(text: string, outgoingReference: string, vocabulary: HubtelVocabulary): CallbackReading {
  const answer = readHubtelAnswer(text, vocabulary)
  if (answer === undefined) return { meaning: 'unreadable', evidence: evidenceOf(`no JSON object: ${text}`) }
  if (textField(answer.data, 'clientreference') !== outgoingReference) {
    return { meaning: 'unreadable', evidence: evidenceOf(`it does not name the reference of its address: ${text}`) }
  }
  const meaning = readCallbackMeaning(answer)
  const details = detailsOf(answer.data, meaning, 'amountdebited')
  return { meaning: 'read', outgoingReference, answer: { meaning, evidence: evidenceOf(text), ...details } }
}

/** Translates the balance of the prepaid deposit: a float in GHS. */
export function translateBalance(reply: SupplierReply, vocabulary: HubtelVocabulary): FloatAnswer {
  const evidence = evidenceFrom(reply)
  if (reply.kind !== 'answered' || reply.status >= 500) return { meaning: 'unknown', evidence }
  if (reply.status === 401 && reply.body.trim() === '') return { meaning: 'refused', cause: 'auth', evidence }
  const answer = readHubtelAnswer(reply.body, vocabulary)
  if (answer?.meaning === 'auth' || answer?.meaning === 'disabled') return { meaning: 'refused', cause: answer.meaning, evidence }
  const isGood = reply.status === 200 && (answer?.code === undefined || answer.meaning === 'delivered')
  const floatPesewas = reportedPesewas(numberField(answer?.data, 'amount') ?? numberField(answer?.data, 'balance'))
  return isGood && floatPesewas !== undefined ? { meaning: 'read', floatPesewas } : { meaning: 'unknown', evidence }
}
