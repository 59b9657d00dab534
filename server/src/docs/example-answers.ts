import { type Refusal, refusals, refuse } from '../platform/http/refusals.ts'
import { exampleBody, makeExample } from './make-example.ts'
import type { Answer, Operation, Schema } from './openapi.ts'

const isMoneyMoving = (operation: Operation) => operation.method === 'POST' && 'reference' in (operation.body?.properties ?? {})

function badRequest(operation: Operation): Refusal {
  // Endpoints that are paid in SMS credits answer 402 when credits are missing; others that move money answer 400.
  if (isMoneyMoving(operation) && !operation.answers.some(({ status }) => status === 402)) return refusals.insufficientFunds
  const [first] = [...Object.keys(operation.body?.properties ?? {}), ...operation.parameters.map(({ name }) => name)]
  return refusals.invalidRequest(first === undefined ? 'The request is not valid.' : `${first} is not valid.`)
}

function wrongKey(operation: Operation): Refusal {
  const words = operation.description.join(' ')
  return refusals.wrongKeyType(/Takes (an? \w+) key/.exec(words)?.[1] ?? 'a standard')
}

/** An example refusal with this status: one that the endpoint declares, else a common one. */
function exampleRefusal(operation: Operation, status: number, description: string): Refusal {
  const named = operation.refusals.find((refusal) => refusal.status === status)
  if (named) return named
  switch (status) {
    case 400:
      return badRequest(operation)
    case 401:
      return refusals.invalidKey
    case 403:
      return wrongKey(operation)
    case 409:
      return refusals.referenceTaken
    case 410:
      return refusals.topUpRemoved
    case 429:
      return refusals.rateLimited(12)
    case 500:
      return refusals.internalError
    case 503:
      return refusals.overloaded
    default:
      return refuse(status as Refusal['status'], '', description)
  }
}

/**
 * Copies into the example answer the fields that a real answer repeats from the request. The reference is not copied: most
 * answers have it already, and a bill's reference is ours.
 */
function repeatRequest(operation: Operation, data: unknown): unknown {
  const body = exampleBody(operation)
  if (typeof data !== 'object' || data === null || typeof body !== 'object' || body === null) return data
  const repeated = Object.entries(body).filter(
    ([name, value]) => name in data && name !== 'reference' && typeof value !== 'object',
  )
  return { ...data, ...Object.fromEntries(repeated) }
}

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

/** An example of the whole body for each form of an answer. Empty when the answer has no body. */
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
