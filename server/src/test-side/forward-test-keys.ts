import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Agent, request as send } from 'undici'
import { answerRefusal, refusalWithoutAnswer } from '../platform/http/answer-error.ts'
import { httpLimits } from '../platform/http/listener/http-limits.ts'
import { refusals } from '../platform/http/refusals.ts'
import { countHeader } from '../platform/http/request-headers.ts'

/** Requests to the test side at the same time. The next ones are refused, so that tests keep nothing from real sales. */
const forwardedMax = 64

/**
 * Requests in a second, by one key and by all together, for each API process. A test order costs as much work as a real one, and
 * the test side shares machine and database server with real sales; somebody who tries out a program needs far fewer.
 */
const perSecond = { key: 10, all: 20 }

/**
 * A refused call is answered after this time. A program that calls again at once then gets one refusal a second on each of its
 * connections, and does not keep this process from real sales.
 */
const refusalWaitsMilliseconds = 1_000

/** Headers about one connection (RFC 9110, section 7.6.1), and those that only we may tell the test side. */
const ownHeaders =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|host|forwarded|x-forwarded-.*)$/

function headersFor(request: FastifyRequest): Record<string, string | string[] | undefined> {
  const given = Object.entries(request.headers).filter(([name]) => !ownHeaders.test(name))
  return { ...Object.fromEntries(given), 'x-request-id': request.id, 'x-forwarded-for': request.ip, 'x-forwarded-proto': 'https' }
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Passes requests with a key of the test side on to it, as they are, before anything else is looked at. It answers as this
 * installation would, from its own database. Register it before the checks of callers.
 *
 * @param side.isTestKey true for a text that begins as its keys do; every other request stays here
 */
export function forwardTestKeys(
  api: FastifyInstance,
  side: { readonly url: string; readonly isTestKey: (authorization: string) => boolean },
): void {
  // As long as callers of this side wait (`answerInTime`), and those of the test side too. What is on its way longer is given up.
  const { answerMilliseconds: patience } = httpLimits
  const dispatcher = new Agent({ connections: forwardedMax, headersTimeout: patience, bodyTimeout: patience })
  const ofKey = new RateLimiterMemory({ points: perSecond.key, duration: 1 })
  const ofAll = new RateLimiterMemory({ points: perSecond.all, duration: 1 })
  let running = 0
  api.addHook('onClose', () => dispatcher.close())
  /** True where the caller must wait. The limit of its key comes first, so that one key does not use up what all have. */
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

  // Without a promise for requests that stay here, because each one would cost them a turn of the event loop's queue.
  api.addHook('onRequest', (request, reply, done) => {
    const { authorization } = request.headers
    const isForwarded =
      authorization !== undefined && side.isTestKey(authorization) && countHeader(request.raw.rawHeaders, 'authorization') === 1
    if (isForwarded) void forward(request, reply, authorization)
    else done()
  })
}
