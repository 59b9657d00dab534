import createClient from 'openapi-fetch'
import { askConfirmation } from './ask-confirmation.ts'
import type { paths } from './dashboard-api.d.ts'

/**
 * Calls of the dashboard's API, typed by its OpenAPI document. So a call that does not fit a changed route fails at the
 * build, not in front of a person.
 */
export const api = createClient<paths>({ credentials: 'same-origin', fetch: (request) => fetch(request) })

/** The server said no, in words that a person can act on. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly status: number
  /** The machine's name of the refusal, as the header `X-Error-Reason` has it. */
  readonly reason: string
  /** How long to wait before trying again, if the server said so. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, response: Response) {
    super(message)
    this.status = response.status
    this.reason = response.headers.get('x-error-reason') ?? ''
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(wait) ? wait : undefined
  }
}

/** No answer came, because the connection is lost or the server is down. What was asked for may have happened all the same. */
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
 * Calls the dashboard's API and gives what stands in `data` of the answer. If the server wants the password or a code
 * first, the person is asked for it, and then the call is made again.
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
