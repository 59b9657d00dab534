import createClient from 'openapi-fetch'
import { sharedWords } from '../words.ts'
import type { components, paths } from './dashboard-api.d.ts'

/**
 * Calls of the dashboard's API, typed by its OpenAPI document, so that a call that does not fit a changed route fails at the
 * build.
 */
export const api = createClient<paths>({ credentials: 'same-origin', fetch: fetchInTime })

/** The server refused, with a message that a person can act on. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly status: number
  /** The reason in the header `X-Error-Reason`, for programs. */
  readonly reason: string
  readonly retryAfterSeconds: number | undefined
  /** The id of the answer, as the operator's log has it. */
  readonly requestId: string | undefined

  constructor(message: string, response: Response) {
    super(message)
    this.status = response.status
    this.reason = response.headers.get('x-error-reason') ?? ''
    this.requestId = response.headers.get('x-request-id') ?? undefined
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(wait) ? wait : undefined
  }
}

/** Why the outcome is not known: the device has no connection, the answer is late or did not come, or the server does not know. */
type NoAnswerReason = keyof typeof sharedWords.noAnswer

/** No answer says how the request ended. The server may have carried it out. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly reason: NoAnswerReason

  constructor(reason: NoAnswerReason = navigator.onLine ? 'unreached' : 'offline') {
    super(sharedWords.noAnswer[reason].next)
    this.reason = reason
  }
}

/**
 * A server answers within ten seconds. Calls with files, and those that ask suppliers or billers, as most of the desk do, take
 * longer.
 */
const answerSeconds = 15
const slowAnswerSeconds = 60
const slowPaths = /\/desk\/|\/bills\/account|\/top-ups|\/sms\/(?:contacts|lists|check)/

/** Aborts the request when the answer, with its body, is late. A complete answer is not affected. */
async function fetchInTime(request: Request): Promise<Response> {
  request.signal.throwIfAborted()
  const ending = new AbortController()
  const seconds = slowPaths.test(request.url) ? slowAnswerSeconds : answerSeconds
  setTimeout(() => ending.abort(new NoAnswer('late')), seconds * 1_000)
  request.signal.addEventListener('abort', () => ending.abort(request.signal.reason))
  return fetch(request, { signal: ending.signal })
}

let observeAnswer: ((response: Response) => void) | undefined

/** Registers a function that reads the headers of every answer. */
export function setAnswerObserver(observe: (response: Response) => void): void {
  observeAnswer = observe
}

/** @param path the path of the call that was answered "not signed in" @returns true when the person is signed in after all */
type SessionCheck = (path: string) => Promise<boolean>
let checkSession: SessionCheck | undefined

/** Registers the function that is called when the server answers that nobody is signed in. */
export function setSessionCheck(check: SessionCheck): void {
  checkSession = check
}

type Called = { readonly data?: unknown; readonly error?: unknown; readonly response: Response }
/** The type of `data` in the answer of a call by `api`. */
type DataOf<C extends Called> = NonNullable<C['data']> extends { data: infer D } ? D : undefined

/**
 * The server's message. Our own text replaces it where a proxy answered without one, and for an unknown outcome, because the
 * server's message about that is for programs.
 */
function errorMessage(error: unknown, { status, headers }: Response): string {
  if (headers.get('x-error-reason') === 'outcome_unknown') return sharedWords.noAnswer.unknown.next
  const message = (error as { error?: { message?: string } } | undefined)?.error?.message
  return message ?? sharedWords.statuses[status] ?? sharedWords.noReason
}

/**
 * Calls the dashboard's API and returns the answer's `data`. If the server wants the password or a code first, asks the person
 * and calls again. Also calls again, once, if the call was sent under a session that has been renewed meanwhile.
 *
 * @throws ApiRefusal when the server refuses, NoAnswer when no answer came
 */
export async function requestData<C extends Called>(call: () => Promise<C>, isSecond = false): Promise<DataOf<C>> {
  const called = await call().catch((error: unknown) => {
    if (error instanceof NoAnswer || (error instanceof DOMException && error.name === 'AbortError')) throw error
    throw new NoAnswer()
  })
  const { response } = called
  observeAnswer?.(response)
  if (response.ok) return (called.data as { data: DataOf<C> } | undefined)?.data as DataOf<C>
  const refusal = new ApiRefusal(errorMessage(called.error, response), response)
  if (refusal.reason === 'confirmation_needed' && (await askConfirmation())) return requestData(call)
  if (refusal.reason === 'not_signed_in' && !isSecond) {
    if (await checkSession?.(new URL(response.url).pathname)) return requestData(call, true)
  }
  throw refusal
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The addresses that take calls of this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { readonly responses: unknown }> ? P : never
}[keyof paths]

type OperationOf<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never
type Known<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>
type QueryOf<O> = O extends { readonly parameters: { readonly query?: infer Q } } ? Known<Q> : unknown
type PathFieldsOf<O> = O extends { readonly parameters: { readonly path: infer F } } ? F : unknown
type BodyOf<O> = O extends { readonly requestBody?: { readonly content: { readonly 'application/json': infer B } } }
  ? string extends keyof B
    ? unknown
    : B
  : unknown
/** A field that may be missing may be undefined too. */
type Loose<T> = T extends unknown ? { readonly [K in keyof T]: {} extends Pick<T, K> ? T[K] | undefined : T[K] } : never

/** The fields of a call's address, query and body, by name. No call has the same name in two of them. */
export type FieldsOf<P extends keyof paths, M extends Method> = Loose<
  PathFieldsOf<OperationOf<P, M>> & QueryOf<OperationOf<P, M>> & BodyOf<OperationOf<P, M>>
>
/** The `data` in the answer to a call with this path and method. */
export type AnswerOf<P extends keyof paths, M extends Method = 'get'> =
  OperationOf<P, M> extends { readonly responses: { 200: { readonly content: { readonly 'application/json': infer A } } } }
    ? A extends { readonly data: infer D }
      ? D
      : undefined
    : undefined

export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

/** The arguments of a call: its fields, then others. The fields may be left out if the call needs none. */
export type FieldsThen<P extends keyof paths, M extends Method, Rest extends readonly unknown[]> =
  {} extends FieldsOf<P, M> ? [fields?: FieldsOf<P, M>, ...Rest] : [fields: FieldsOf<P, M>, ...Rest]

type Send = (
  method: Method,
  path: string,
  init: object,
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>

/** A function that calls with this method. Fields that are not in the address go into the query or into the body. */
const callBy =
  <M extends Method>(method: M) =>
  <P extends PathOf<M>>(path: P, ...[fields, signal]: FieldsThen<P, M, [signal?: AbortSignal]>) => {
    const isInPath = ([name]: readonly [string, unknown]) => path.includes(`{${name}}`)
    const given = Object.entries(fields ?? {})
    const inPath = Object.fromEntries(given.filter(isInPath))
    const others = Object.fromEntries(given.filter((field) => !isInPath(field)))
    const init =
      method === 'get' || method === 'delete'
        ? { params: { path: inPath, query: others } }
        : { params: { path: inPath }, body: others }
    return requestData(() => (api.request as Send)(method, path, { ...init, ...(signal && { signal }) })) as Promise<
      AnswerOf<P, M>
    >
  }

export const get = callBy('get')
export const post = callBy('post')
export const put = callBy('put')
export const patch = callBy('patch')
export const remove = callBy('delete')

type AskByDialog = () => Promise<boolean>

let askByDialog: AskByDialog | undefined

/**
 * Registers the dialog that asks for the password or a code.
 *
 * @returns a function that removes the dialog
 */
export function setConfirmationDialog(dialog: AskByDialog): () => void {
  askByDialog = dialog
  return () => {
    if (askByDialog === dialog) askByDialog = undefined
  }
}

/** Asks for the password or a code. False: the person closed the dialog without giving one. */
function askConfirmation(): Promise<boolean> {
  return askByDialog?.() ?? Promise.resolve(false)
}
