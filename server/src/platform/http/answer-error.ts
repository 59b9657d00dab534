import type { FastifyReply, FastifyRequest } from 'fastify'
import { classifyDatabaseError } from '../database/database-errors.ts'
import { errorBody, jsonContentType } from './envelope.ts'
import { type Refusal, RefusalError, refusals } from './refusals.ts'

/** Errors of the web framework in our own words. The contract knows no 413, 414 or 415 (decision A12b). */
const frameworkRefusals: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refusals.unreadableBody('Send the body as JSON, with Content-Type: application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: refusals.unreadableBody('The body is too large.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: refusals.unreadableBody('The body is empty; send a JSON object.'),
  FST_ERR_CTP_INVALID_JSON_BODY: refusals.unreadableBody('The body is not valid JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: refusals.unreadableBody('The body is not as long as Content-Length says.'),
  FST_ERR_BAD_URL: refusals.invalidRequest('The path is not correctly percent-encoded.'),
  FST_ERR_MAX_PARAM_LENGTH: refusals.routeNotFound,
  FST_ERR_NOT_FOUND: refusals.routeNotFound,
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** True unless the method or the route says that nothing is changed. */
export function mayChange(request: FastifyRequest): boolean {
  const { changesNothing = safeMethods.has(request.method) } = request.routeOptions.config
  return !(typeof changesNothing === 'function' ? changesNothing(request) : changesNothing)
}

/**
 * The refusal of a request that the database did not answer, or not in time. Once the handler of a change has begun, nobody
 * knows whether it changed something: a COMMIT may have been carried out and its answer lost, or a second statement may
 * have failed after it. Before that, and for reads and checks, "this try charged nothing" is true.
 */
export function refusalWithoutAnswer(request: FastifyRequest): Refusal {
  return request.hasBegun && mayChange(request) ? refusals.outcomeUnknown : refusals.overloaded
}

/**
 * True when the client disconnected before it had sent the whole body. A lost connection to the database has the same error code;
 * without this, the logs would say that we failed.
 */
function hasLeft({ raw }: FastifyRequest, error: unknown): boolean {
  return codeOf(error) === 'ECONNRESET' && raw.destroyed && !raw.complete
}

/** The refusal for an error; undefined when the error is a bug. Only known causes become a 4xx. */
function refusalOf(error: unknown, request: FastifyRequest): Refusal | undefined {
  if (error instanceof RefusalError) return error.refusal
  const known = frameworkRefusals[codeOf(error)]
  if (known) return known
  if (hasLeft(request, error)) return refusals.unreadableBody('The body did not arrive whole.')
  const database = classifyDatabaseError(error)
  return database === 'other' || database === 'constraint' ? undefined : refusalWithoutAnswer(request)
}

/**
 * Answers with a refusal: the error envelope, and for programs `X-Error-Reason` and `Retry-After` (decision A3: what the
 * error envelope holds).
 */
export function answerRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  reply.code(refusal.status).header('x-error-reason', refusal.reason).type(jsonContentType)
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds)
  return reply.send(errorBody(refusal))
}

/**
 * The error handler of the whole app. An error without a refusal is a bug: it is logged with its request's id and
 * answered with 500, without its text.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error, request)
  if (!refusal) request.log.error({ err: error }, 'unexpected error')
  else if (refusal.status >= 500) request.log.warn({ err: error, reason: refusal.reason }, 'refused')
  return answerRefusal(reply, refusal ?? refusals.internalError)
}
