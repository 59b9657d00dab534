import createClient from 'openapi-fetch'
import { askConfirmation } from './ask-confirmation.ts'
import type { paths } from './dashboard-api.d.ts'

/**
 * Calls of the dashboard's API, typed by its OpenAPI document, so that a call that does not fit a changed route fails at the
 * build.
 */
export const api = createClient<paths>({ credentials: 'same-origin', fetch: (request) => fetch(request) })

/** The server refused, with a message that a person can act on. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly status: number
  /** The reason in the header `X-Error-Reason`, for programs. */
  readonly reason: string
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, response: Response) {
    super(message)
    this.status = response.status
    this.reason = response.headers.get('x-error-reason') ?? ''
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(wait) ? wait : undefined
  }
}

/** No answer came, because the connection is lost or the server is down. The server may have done what was asked for. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  constructor() {
    super('No answer came. Check your connection, then try again.')
  }
}

type Called = { readonly data?: unknown; readonly error?: unknown; readonly response: Response }
/** The type of `data` in the answer of a call. */
type DataOf<C extends Called> = NonNullable<C['data']> extends { data: infer D } ? D : undefined

const errorMessage = (error: unknown): string =>
  (error as { error?: { message?: string } } | undefined)?.error?.message ?? 'The server could not do that. Try again.'

/**
 * Calls the dashboard's API and returns the answer's `data`. If the server wants the password or a code first, asks the person
 * and calls again.
 *
 * @throws ApiRefusal when the server refuses, NoAnswer when no answer came
 */
export async function answerOf<C extends Called>(call: () => Promise<C>): Promise<DataOf<C>> {
  const called = await call().catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new NoAnswer()
  })
  const { response } = called
  if (response.ok) return (called.data as { data: DataOf<C> } | undefined)?.data as DataOf<C>
  if (response.headers.get('x-error-reason') === 'confirmation_needed' && (await askConfirmation())) return answerOf(call)
  throw new ApiRefusal(errorMessage(called.error), response)
}
