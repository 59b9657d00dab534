import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerRefusal } from './answer-error.ts'
import type { RateLimiter } from './limits/create-rate-limiter.ts'
import { type RateLimit, type RateLimitOverrides, requestsPerMinute } from './limits/endpoint-limits.ts'
import { refusals } from './refusals.ts'
import { countHeader } from './request-headers.ts'

/** The app declares both types, because this folder knows nothing about accounts. */
type Caller = FastifyRequest['caller']
type KeyType = NonNullable<FastifyContextConfig['keyType']>

export type RequestCounts = {
  readonly rateLimiter: Pick<RateLimiter, 'count'>
  rateLimitOverrides(): RateLimitOverrides | Promise<RateLimitOverrides>
}

/** The checks of every API request before its body is read. */
export type CallerChecks = RequestCounts & {
  /**
   * Finds the caller. Returns no promise when the key is in memory. @throws RefusalError 401 when the key is missing or
   * unknown, 429 for an address with too many wrong keys, and 403 for a wrong key type, key state, address, account state
   * or role
   */
  authenticate(asked: { authorization: string | undefined; keyType: KeyType; ipAddress: string }): Caller | Promise<Caller>
}

const windowSeconds = 60

/**
 * Counts the request and writes the caller's use of the limit into the headers (draft-ietf-httpapi-ratelimit-headers).
 * @returns the seconds to wait when the limit is exceeded, else undefined
 */
async function countRequest(
  checks: RequestCounts,
  limit: RateLimit,
  countedFor: string,
  reply: FastifyReply,
): Promise<number | undefined> {
  const overrides = checks.rateLimitOverrides()
  const quota = requestsPerMinute(limit, overrides instanceof Promise ? await overrides : overrides)
  if (quota === undefined) return undefined
  const { requests, resetSeconds } = await checks.rateLimiter.count(limit.name, countedFor)
  const remaining = Math.max(0, quota - requests)
  reply.header('ratelimit-policy', `"${limit.name}";q=${quota};w=${windowSeconds}`)
  reply.header('ratelimit', `"${limit.name}";r=${remaining};t=${resetSeconds}`)
  return requests > quota ? resetSeconds : undefined
}

/**
 * Counts the requests of signed-in persons by account, so that a page that sends requests without end is limited, as a program
 * with a key is. Register it after the hooks that find the session's account.
 */
export function limitPersons(
  scope: FastifyInstance,
  counts: RequestCounts,
  accountOf: (request: FastifyRequest) => string,
): void {
  scope.addHook('onRequest', async (request, reply) => {
    const { limit } = request.routeOptions.config
    if (!limit) return undefined
    const waitSeconds = await countRequest(counts, limit, `account ${accountOf(request)}`, reply)
    return waitSeconds === undefined ? undefined : answerRefusal(reply, refusals.rateLimited(waitSeconds))
  })
}

/**
 * Adds the first checks to all routes in `api`: key, key type, states and role, then the rate limit (decision A4: the order
 * of checks). They run before the body is read, so a refused key costs no parsing. A path that does not exist is answered
 * 404 without a check of the key.
 */
export function checkCallers(api: FastifyInstance, checks: CallerChecks): void {
  api.addHook('onRoute', (route) => {
    if (!route.config?.keyType) throw new Error(`${String(route.method)} ${route.url} does not say which key it takes`)
    if (route.url.includes(':') && !route.schema?.params) throw new Error(`${route.url} has no schema of its path`)
  })
  api.addHook('onRequest', async (request, reply) => {
    const { keyType, limit } = request.routeOptions.config
    if (!keyType) return undefined
    const asked = {
      // With two Authorization headers, Node would take the first and a proxy perhaps the second. Such a request counts
      // as one without a key.
      authorization: countHeader(request.raw.rawHeaders, 'authorization') === 1 ? request.headers.authorization : undefined,
      keyType,
      ipAddress: request.ip,
    }
    try {
      const found = checks.authenticate(asked)
      request.caller = found instanceof Promise ? await found : found
    } catch (error) {
      request.refusedCaller = (error as { readonly caller?: Caller }).caller
      throw error
    }
    if (!limit) return undefined
    const waitSeconds = await countRequest(checks, limit, request.caller.keyId, reply)
    return waitSeconds === undefined ? undefined : answerRefusal(reply, refusals.rateLimited(waitSeconds))
  })
}
