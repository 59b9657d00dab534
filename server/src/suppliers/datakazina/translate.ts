import type { SupplierReply } from '../calling/call-supplier.ts'
import { evidenceFrom, evidenceOf } from '../calling/evidence.ts'
import { floatOfError, meaningOfStatusCode, readErrorMeaning } from '../calling/read-error-meaning.ts'
import { asObject, type JsonObject, numberField, readJsonObject, referenceField, textField } from '../calling/read-json.ts'
import { reportedPesewas, requireReference, throttledSeconds } from '../calling/reported-values.ts'
import type { ErrorMeaning } from '../calling/supplier-vocabulary.ts'
import { translateRefusal } from '../calling/translate-refusal.ts'
import type { FloatAnswer, PackageListAnswer, SupplierAnswer } from '../ports.ts'
import type { DatakazinaVocabulary } from './settings.ts'

/** The texts of errors that come without a code. */
const errorTexts: readonly (readonly [RegExp, ErrorMeaning])[] = [
  [/insufficient (console |wallet )?balance/i, 'float'],
  [/unauthenticated|invalid api key|api key (is )?(missing|required|invalid)/i, 'auth'],
  [/account (is |has been )?(disabled|suspended|deactivated)/i, 'disabled'],
  [/invalid (recipient|msisdn|phone)/i, 'rejected_recipient'],
  [/invalid (network|bundle|shared bundle)/i, 'rejected_request'],
]

const codeOf = (body: JsonObject) => textField(body, 'code')

function errorMeaningOf(body: JsonObject, vocabulary: DatakazinaVocabulary): ErrorMeaning | undefined {
  return readErrorMeaning(body, codeOf(body), { codes: vocabulary.errorCodes, texts: errorTexts })
}

/** References that an order in an answer must name: ours, or DataKazina's code. */
type Expected = { readonly outgoingReference: string; readonly supplierReference?: string }

/** Reads an order object: the meaning of `status`, if the object is about this attempt. */
function readOrder(
  data: JsonObject | undefined,
  expected: Expected,
  evidence: string,
  vocabulary: DatakazinaVocabulary,
): SupplierAnswer {
  const ours = textField(data, 'incoming_api_ref')
  const theirs = referenceField(data, 'transaction_code')
  const isOther =
    (ours !== undefined && ours !== expected.outgoingReference) ||
    (theirs !== undefined && expected.supplierReference !== undefined && theirs !== expected.supplierReference)
  if (isOther) return { meaning: 'unknown', evidence: evidenceOf(`it speaks of another order: ${evidence}`) }
  const word = textField(data, 'status')
  const meaning = word === undefined ? undefined : vocabulary.statusWords.get(word.toLowerCase())
  const cost = reportedPesewas(numberField(data, 'amount'))
  const answer = {
    meaning: meaning ?? ('unknown' as const),
    evidence,
    ...(theirs === undefined ? {} : { supplierReference: theirs }),
    ...(cost === undefined ? {} : { reportedCostPesewas: cost }),
  }
  // No reference contradicts ours. The order is ours if the answer has our reference, or has a code and we asked by a code.
  return requireReference(answer, ours !== undefined || (theirs !== undefined && expected.supplierReference !== undefined))
}

/**
 * Reads HTTP 422: an earlier submit of our reference exists, so the order was accepted; the answer may hold its code (an
 * assumption). If all errors are about other fields, the request itself is refused. After an earlier send that proves
 * nothing, so it is `unknown`, and never a failure.
 */
function readDuplicate(body: JsonObject, expected: Expected, evidence: string): SupplierAnswer {
  const fields = Object.keys(asObject(body.errors) ?? {})
  if (fields.length > 0 && !fields.includes('incoming_api_ref')) return { meaning: 'unknown', evidence }
  const data = asObject(body.data)
  const ours = textField(data, 'incoming_api_ref')
  if (ours !== undefined && ours !== expected.outgoingReference) return { meaning: 'unknown', evidence }
  const theirs = referenceField(data, 'transaction_code') ?? referenceField(body, 'transaction_code')
  return { meaning: 'duplicate_exists', evidence, ...(theirs === undefined ? {} : { supplierReference: theirs }) }
}

/** Translates the answer to `POST /buy-data-package`. */
export function translatePurchase(
  reply: SupplierReply,
  outgoingReference: string,
  vocabulary: DatakazinaVocabulary,
): SupplierAnswer {
  const evidence = evidenceFrom(reply)
  const unknown: SupplierAnswer = { meaning: 'unknown', evidence }
  if (reply.kind === 'not_sent' || reply.kind === 'unreachable') return { meaning: reply.kind, evidence }
  if (reply.kind === 'lost' || reply.status >= 500) return unknown
  if (reply.status === 429)
    return { meaning: 'throttled', retryAfterSeconds: throttledSeconds(reply.retryAfterSeconds), evidence }
  const body = readJsonObject(reply.body)
  if (body === undefined) return unknown
  if (reply.status === 422) return readDuplicate(body, { outgoingReference }, evidence)
  if (body.success === false) {
    const meaning = errorMeaningOf(body, vocabulary) ?? meaningOfStatusCode(reply.status, codeOf(body))
    return translateRefusal(meaning, evidence, throttledSeconds(reply.retryAfterSeconds))
  }
  if ((reply.status !== 200 && reply.status !== 201) || body.success !== true) return unknown
  return readOrder(asObject(body.data), { outgoingReference }, evidence, vocabulary)
}

/**
 * Translates the answer to `GET /order-status`. Any failure of the look-up itself is `unknown`, also "not found", because we
 * ask only by a code that DataKazina gave us.
 */
export function translateStatus(reply: SupplierReply, expected: Expected, vocabulary: DatakazinaVocabulary): SupplierAnswer {
  const evidence = evidenceFrom(reply)
  const unknown: SupplierAnswer = { meaning: 'unknown', evidence }
  if (reply.kind !== 'answered') return unknown
  const body = readJsonObject(reply.body)
  if (reply.status !== 200 || body?.success !== true) return unknown
  return readOrder(asObject(body.data), expected, evidence, vocabulary)
}

/** Translates the answer to `GET /check-console-balance`. */
export function translateBalance(reply: SupplierReply, vocabulary: DatakazinaVocabulary): FloatAnswer {
  const evidence = evidenceFrom(reply)
  if (reply.kind !== 'answered' || reply.status >= 500) return { meaning: 'unknown', evidence }
  const body = readJsonObject(reply.body)
  if (body === undefined) return { meaning: 'unknown', evidence }
  if (body.success === false) {
    const meaning = errorMeaningOf(body, vocabulary) ?? meaningOfStatusCode(reply.status, codeOf(body))
    return floatOfError(meaning, evidence)
  }
  const data = asObject(body.data)
  const currency = textField(data, 'currency') ?? 'GHS'
  const floatPesewas = reportedPesewas(numberField(data, 'console_balance') ?? numberField(data, 'balance'))
  const isRead = reply.status === 200 && body.success === true && currency === 'GHS'
  return isRead && floatPesewas !== undefined ? { meaning: 'read', floatPesewas } : { meaning: 'unknown', evidence }
}

/** Translates the answer to `GET /fetch-data-packages`. Leaves out unreadable rows and those of unknown networks. */
export function translatePackages(reply: SupplierReply, vocabulary: DatakazinaVocabulary): PackageListAnswer {
  const evidence = evidenceFrom(reply)
  const body = reply.kind === 'answered' && reply.status === 200 ? readJsonObject(reply.body) : undefined
  if (body?.success !== true || !Array.isArray(body.data)) return { meaning: 'unknown', evidence }
  const networkOf = new Map(Object.entries(vocabulary.networks).map(([network, id]) => [id, network]))
  const perGb = vocabulary.sharedBundleUnit === 'MB' ? vocabulary.megabytesPerGigabyte : 1
  const packages = body.data.flatMap((each: unknown) => {
    const row = asObject(each)
    const network = networkOf.get(numberField(row, 'network_id') ?? Number.NaN)
    const size = numberField(row, 'shared_bundle')
    const costPesewas = reportedPesewas(numberField(row, 'price'))
    if (network === undefined || size === undefined || size <= 0 || costPesewas === undefined) return []
    return { network, volumeGb: size / perGb, code: String(size), costPesewas }
  })
  return { meaning: 'read', packages }
}
