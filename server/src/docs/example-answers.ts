import { type Refusal, refusals } from '../platform/http/refusals.ts'
import { exampleBody, makeExample } from './make-example.ts'
import type { Answer, Operation, Schema } from './openapi.ts'

const isMoneyMoving = (operation: Operation) => operation.method === 'POST' && 'reference' in (operation.body?.properties ?? {})

const refuse = (status: Refusal['status'], message: string): Refusal => ({ status, reason: '', message })

function badRequest(operation: Operation): Refusal {
  // What is paid in credits answers 402 for them.
  if (isMoneyMoving(operation) && !operation.answers.some(({ status }) => status === 402)) return refusals.insufficientFunds
  const [first] = [...Object.keys(operation.body?.properties ?? {}), ...operation.parameters.map(({ name }) => name)]
  return refusals.invalidRequest(first === undefined ? 'The request is not valid.' : `${first} is not valid.`)
}

function wrongKey(operation: Operation): Refusal {
  const words = operation.description.join(' ')
  return refusals.wrongKeyType(/Takes (an? \w+) key/.exec(words)?.[1] ?? 'a standard')
}

/** The refusal of each endpoint that finds nothing or cannot reach a service, by the beginning of its path. */
const notFoundByPath: Readonly<Record<string, Refusal>> = {
  '/data': refusals.packageNotFound,
  '/resultschecker': refusals.voucherTypeNotFound,
  '/utilities': refusals.billAccountNotFound,
}
const unreachableByPath: Readonly<Record<string, Refusal>> = {
  '/data/verify-number/server-1': refusals.registrationServerUnreachable(1),
  '/data/verify-number/server-2': refusals.registrationServerUnreachable(2),
  '/utilities': refusals.billerUnreachable,
}

const conflictByPath: Readonly<Record<string, Refusal>> = { '/utilities': refusals.duplicatePayment(30) }
/**
 * The endpoints that the operator's switches stop: new sales, checks and look-ups. All others answer 503 only when the
 * platform is busy.
 */
const switchedOffByPath: Readonly<Record<string, Refusal>> = {
  '/data': refusals.featureDisabled('The sale of data bundles'),
  '/airtime/purchase': refusals.featureDisabled('The sale of airtime'),
  '/resultschecker/purchase': refusals.featureDisabled('The sale of results-checker vouchers'),
  '/afa/register': refusals.featureDisabled('AFA registration'),
  '/sms/send': refusals.featureDisabled('The sending of SMS'),
  '/utilities/lookup': refusals.featureDisabled('The payment of utility bills'),
  '/utilities/pay': refusals.featureDisabled('The payment of utility bills'),
}

function byPath(table: Readonly<Record<string, Refusal>>, path: string): Refusal | undefined {
  return Object.entries(table).find(([beginning]) => `${path}/`.startsWith(`${beginning}/`))?.[1]
}

function notFound(operation: Operation, description: string): Refusal {
  if (operation.path.includes('{reference}')) return refusals.orderNotFound
  return byPath(notFoundByPath, operation.path) ?? refuse(404, description)
}

/** A refusal of that status as the endpoint could answer it. */
function exampleRefusal(operation: Operation, status: number, description: string): Refusal {
  switch (status) {
    case 400:
      return badRequest(operation)
    case 401:
      return refusals.invalidKey
    case 402:
      return refusals.insufficientCredits
    case 403:
      return wrongKey(operation)
    case 404:
      return notFound(operation, description)
    case 409:
      return byPath(conflictByPath, operation.path) ?? refusals.referenceTaken
    case 410:
      return refusals.topUpRemoved
    case 429:
      return refusals.rateLimited(12)
    case 500:
      return refusals.internalError
    case 502:
      return byPath(unreachableByPath, operation.path) ?? refuse(502, description)
    case 503:
      return byPath(switchedOffByPath, operation.path) ?? refusals.overloaded
    default:
      return refuse(status as Refusal['status'], description)
  }
}

/** Copies into the example answer the fields that a real answer repeats from the request. A bill's reference is made by us. */
function repeatRequest(operation: Operation, data: unknown): unknown {
  const body = exampleBody(operation)
  if (typeof data !== 'object' || data === null || typeof body !== 'object' || body === null) return data
  const repeated = Object.entries(body).filter(
    ([name, value]) => name in data && name !== 'reference' && typeof value !== 'object',
  )
  return { ...data, ...Object.fromEntries(repeated) }
}

/** An example of one form of an answer. */
export type ExampleAnswer = { readonly name: string; readonly summary: string; readonly value: unknown }

/** The forms that the `data` of an answer can take; most have one. */
export function formsOf(data: Schema): readonly Schema[] {
  return data.anyOf ?? data.oneOf ?? [data]
}

function exampleSuccess(operation: Operation, schema: Schema, form: Schema | undefined): ExampleAnswer {
  const place = { name: '', tag: operation.tag, isRequest: false }
  const example = makeExample(schema, place)
  const name = form?.title ?? 'Answer'
  const summary = form?.description ?? ''
  if (!form || typeof example !== 'object' || example === null) return { name, summary, value: example }
  return { name, summary, value: { ...example, data: repeatRequest(operation, makeExample(form, place)) } }
}

/** An example of the whole body of an answer, of each form that it has. Empty when the answer has no body. */
export function exampleAnswers(operation: Operation, answer: Answer): ExampleAnswer[] {
  const { schema } = answer
  if (answer.status >= 400) {
    const { status, message } = exampleRefusal(operation, answer.status, answer.description)
    return [{ name: 'Refusal', summary: '', value: { success: false, error: { code: status, message } } }]
  }
  if (!schema) return []
  const data = schema.properties?.['data']
  if (!data) return [exampleSuccess(operation, schema, undefined)]
  return formsOf(data).map((form) => exampleSuccess(operation, schema, form))
}

/** An example of the whole body of an answer, in its first form. */
export function exampleAnswer(operation: Operation, answer: Answer): unknown {
  return exampleAnswers(operation, answer)[0]?.value
}
