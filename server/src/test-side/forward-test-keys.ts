import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Agent, request as send } from 'undici'
import { answerRefusal, refusalWithoutAnswer } from '../platform/http/answer-error.ts'
import { httpLimits } from '../platform/http/listener/http-limits.ts'
import { refusals } from '../platform/http/refusals.ts'
import { countHeader } from '../platform/http/request-headers.ts'

/**
 * The most requests that one API process passes on at the same time. Further ones are refused, so that tests do not slow real
 * sales.
 */
const forwardedMax = 64

/**
 * The most requests per second, of one key and of all keys together, in each API process. A test order costs as much work as a
 * real one, and the test side shares machine and database server with real sales. A developer who tests a program needs far
 * fewer.
 */
const perSecond = { key: 10, all: 20 }

/**
 * A refused call is answered after this time. A program that repeats its calls at once then gets one refusal per second on each
 * of its connections, and does not slow real sales in this process.
 */
const refusalWaitsMilliseconds = 1_000

/** Headers that are not passed on: those about one connection (RFC 9110, section 7.6.1), and those that only we may set. */
const ownHeaders =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|host|forwarded|x-forwarded-.*)$/

function headersFor(request: FastifyRequest): Record<string, string | string[] | undefined> {
  const given = Object.entries(request.headers).filter(([name]) => !ownHeaders.test(name))
  return { ...Object.fromEntries(given), 'x-request-id': request.id, 'x-forwarded-for': request.ip, 'x-forwarded-proto': 'https' }
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Passes requests with a key of the test side on to it, unchanged but for some headers, before anything else is looked at. The
 * test side answers as this installation would, from its own database. Register it before the checks of callers.
 *
 * @param side.isTestKey true for a text that begins as its keys do; every other request stays here
 */
export function forwardTestKeys(
  api: FastifyInstance,
  side: { readonly url: string; readonly isTestKey: (authorization: string) => boolean },
): void {
  // Callers of both sides wait at most this long for an answer (`answerInTime`). A forwarded request that takes longer is given
  // up.
  const { answerMilliseconds: patience } = httpLimits
  const dispatcher = new Agent({ connections: forwardedMax, headersTimeout: patience, bodyTimeout: patience })
  const ofKey = new RateLimiterMemory({ points: perSecond.key, duration: 1 })
  const ofAll = new RateLimiterMemory({ points: perSecond.all, duration: 1 })
  let running = 0
  api.addHook('onClose', () => dispatcher.close())
  /**
   * True when the caller must wait. The limit of its key is checked first, so that one key does not use up the shared limit.
   */
  const isTooOften = (authorization: string) =>
    ofKey
      .consume(authorization)
      .then(() => ofAll.consume('all'))
      .then(
        () => false,
        () => true,
      )
  async function forward(request: FastifyRequest, reply: FastifyReply, authorization: string): Promise<unknown> {
    if (await isTooOften(authorization)) {
      await sleep(refusalWaitsMilliseconds)
      return answerRefusal(reply, refusals.rateLimited(1))
    }
    if (running >= forwardedMax) return answerRefusal(reply, refusals.overloaded)
    running += 1
    request.hasBegun = true
    try {
      const { statusCode, headers, body } = await send(`${side.url}${request.url}`, {
        method: request.method as 'GET',
        dispatcher,
        headers: headersFor(request),
        ...(hasBody(request) && { body: request.raw }),
      })
      const answer = Buffer.from(await body.arrayBuffer())
      if (reply.sent) return undefined
      for (const [name, value] of Object.entries(headers)) {
        if (!ownHeaders.test(name) && value !== undefined) reply.header(name, value)
      }
      return reply.code(statusCode).send(answer)
    } catch (error) {
      request.log.warn({ err: error }, 'the test side did not answer')
      if (reply.sent) return undefined
      const isUnreached = (error as { readonly code?: string }).code === 'ECONNREFUSED'
      return answerRefusal(reply, isUnreached ? refusals.overloaded : refusalWithoutAnswer(request))
    } finally {
      running -= 1
    }
  }

  // Requests that are not forwarded get no promise, because it would cost each of them a turn of the event loop's queue.
  api.addHook('onRequest', (request, reply, done) => {
    const { authorization } = request.headers
    const isForwarded =
      authorization !== undefined && side.isTestKey(authorization) && countHeader(request.raw.rawHeaders, 'authorization') === 1
    if (isForwarded) void forward(request, reply, authorization)
    else done()
  })
}
