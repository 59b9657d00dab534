import type { Pesewas } from '../../money/pesewas.ts'
import type { SupplierReply } from '../calling/call-supplier.ts'
import { evidenceFrom, evidenceOf } from '../calling/evidence.ts'
import { floatOfError, meaningOfStatusCode, readErrorMeaning } from '../calling/read-error-meaning.ts'
import { asObject, type JsonObject, numberField, readJsonObject, referenceField, textField } from '../calling/read-json.ts'
import { reportedPesewas, requireReference, throttledSeconds } from '../calling/reported-values.ts'
import type { ErrorMeaning } from '../calling/supplier-vocabulary.ts'
import { translateRefusal } from '../calling/translate-refusal.ts'
import type { FloatAnswer, SupplierAnswer } from '../ports.ts'
import type { DatamartVocabulary } from './settings.ts'

type Answered = Extract<SupplierReply, { kind: 'answered' }>

/** The texts of errors that come without a code, as the public documentation shows them. */
const errorTexts: readonly (readonly [RegExp, ErrorMeaning])[] = [
  [/insufficient (wallet )?balance/i, 'float'],
  [/invalid api key|api key (is )?(missing|required|invalid)/i, 'auth'],
  [/account (is |has been )?(disabled|suspended|deactivated)/i, 'disabled'],
  [/invalid (phone|recipient)|phone ?number (is )?(invalid|not valid)/i, 'rejected_recipient'],
  [/invalid (network|capacity)/i, 'rejected_request'],
  [/order not found/i, 'never_received'],
]

function codeOf(body: JsonObject): string | undefined {
  return textField(body, 'code') ?? textField(body, 'errorCode')
}

function errorMeaningOf(body: JsonObject, vocabulary: DatamartVocabulary): ErrorMeaning | undefined {
  return readErrorMeaning(body, codeOf(body), { codes: vocabulary.errorCodes, texts: errorTexts })
}

function isError(body: JsonObject): boolean {
  return textField(body, 'status')?.toLowerCase() === 'error' || body.success === false
}

function retryAfter(reply: Answered, body: JsonObject | undefined): number {
  const limit = asObject(body?.rateLimit)
  const seconds = reply.retryAfterSeconds ?? numberField(limit, 'resetSeconds') ?? numberField(limit, 'resetInSeconds')
  return throttledSeconds(seconds)
}

/**
 * Reads an order object: the meaning of its status word, DataMart's own reference and the cost. When `ref` is another
 * order's, the meaning is `unknown`. `delivered` and `failed` count only when the object names our reference.
 */
function readOrder(
  data: JsonObject | undefined,
  outgoingReference: string,
  evidence: string,
  vocabulary: DatamartVocabulary,
): SupplierAnswer {
  const ours = textField(data, 'ref')
  if (ours !== undefined && ours !== outgoingReference) {
    return { meaning: 'unknown', evidence: evidenceOf(`it speaks of another reference: ${evidence}`) }
  }
  const word = textField(data, 'orderStatus') ?? textField(data, 'status')
  const meaning = word === undefined ? undefined : vocabulary.statusWords.get(word.toLowerCase())
  const theirs = referenceField(data, 'orderReference') ?? referenceField(data, 'reference') ?? referenceField(data, 'purchaseId')
  const cost = reportedPesewas(numberField(data, 'price'))
  const answer = {
    meaning: meaning ?? ('unknown' as const),
    evidence,
    ...(theirs === undefined || theirs === outgoingReference ? {} : { supplierReference: theirs }),
    ...(cost === undefined ? {} : { reportedCostPesewas: cost }),
  }
  const references = [ours, textField(data, 'orderReference'), textField(data, 'reference')]
  return requireReference(answer, references.includes(outgoingReference))
}

/** Translates the answer to `POST /purchase`. */
export function translatePurchase(
  reply: SupplierReply,
  outgoingReference: string,
  vocabulary: DatamartVocabulary,
): SupplierAnswer {
  const evidence = evidenceFrom(reply)
  if (reply.kind === 'not_sent' || reply.kind === 'unreachable') return { meaning: reply.kind, evidence }
  if (reply.kind === 'lost' || reply.status >= 500) return { meaning: 'unknown', evidence }
  const body = readJsonObject(reply.body)
  if (reply.status === 429) return { meaning: 'throttled', retryAfterSeconds: retryAfter(reply, body), evidence }
  if (body === undefined) return { meaning: 'unknown', evidence }
  if (isError(body)) {
    const meaning = errorMeaningOf(body, vocabulary) ?? meaningOfStatusCode(reply.status, codeOf(body))
    return translateRefusal(meaning, evidence, retryAfter(reply, body))
  }
  if (reply.status !== 200 && reply.status !== 201) return { meaning: 'unknown', evidence }
  if (textField(body, 'status')?.toLowerCase() !== 'success') return { meaning: 'unknown', evidence }
  return readOrder(asObject(body.data), outgoingReference, evidence, vocabulary)
}

/** Translates the answer to `GET /order-status/{ref}`. Any failure of the look-up itself is `unknown`. */
export function translateStatus(reply: SupplierReply, outgoingReference: string, vocabulary: DatamartVocabulary): SupplierAnswer {
  const evidence = evidenceFrom(reply)
  const unknown: SupplierAnswer = { meaning: 'unknown', evidence }
  if (reply.kind !== 'answered') return unknown
  const body = readJsonObject(reply.body)
  if (body === undefined) return unknown
  if (reply.status === 404 && isError(body) && errorMeaningOf(body, vocabulary) === 'never_received') {
    return { meaning: 'never_received', evidence }
  }
  if (reply.status !== 200 || textField(body, 'status')?.toLowerCase() !== 'success') return unknown
  return readOrder(asObject(body.data), outgoingReference, evidence, vocabulary)
}

/** Translates the answer to `GET /balance`. */
export function translateBalance(reply: SupplierReply, vocabulary: DatamartVocabulary): FloatAnswer {
  const evidence = evidenceFrom(reply)
  if (reply.kind !== 'answered' || reply.status >= 500) return { meaning: 'unknown', evidence }
  const body = readJsonObject(reply.body)
  if (body === undefined) return { meaning: 'unknown', evidence }
  if (isError(body)) {
    const meaning = errorMeaningOf(body, vocabulary) ?? meaningOfStatusCode(reply.status, codeOf(body))
    return floatOfError(meaning, evidence)
  }
  const data = asObject(body.data)
  const currency = textField(data, 'currency') ?? 'GHS'
  const floatPesewas: Pesewas | undefined = reportedPesewas(numberField(data, 'balance'))
  if (reply.status !== 200 || currency !== 'GHS' || floatPesewas === undefined) return { meaning: 'unknown', evidence }
  return { meaning: 'read', floatPesewas }
}

/**
 * Reads a callback's meaning and our reference from its body.
 * @returns undefined when the body names no reference
 */
export function translateOrderCallback(
  text: string,
  vocabulary: DatamartVocabulary,
): { outgoingReference: string; answer: SupplierAnswer } | undefined {
  const data = asObject(readJsonObject(text)?.data)
  const outgoingReference = referenceField(data, 'ref') ?? referenceField(data, 'orderReference')
  if (outgoingReference === undefined) return undefined
  return { outgoingReference, answer: readOrder(data, outgoingReference, evidenceOf(text), vocabulary) }
}
