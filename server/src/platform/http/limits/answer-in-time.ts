import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { answerRefusal, refusalWithoutAnswer } from '../answer-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The reason why this route may take longer than others. Its time limit ends when the body has arrived. */
    longWork?: string
    /**
     * True when the request only checks or previews, so that a repeat does no harm. Left out: the method decides, because a
     * POST may change something.
     */
    changesNothing?: boolean | ((request: FastifyRequest) => boolean)
  }
  interface FastifyRequest {
    /** True once the handler was called. Until then nothing can have been changed. */
    hasBegun: boolean
    /** Undefined before the first hook. */
    wait: Wait | undefined
  }
}

/** The wait of one caller. Moments are milliseconds of `performance.now`. */
type Wait = {
  answerBy: number
  /** The moment from which the first byte of the body is awaited; undefined before and after the body is read. */
  readingSince: number | undefined
  /** Undefined once it has fired. */
  timer: NodeJS.Timeout | undefined
  isOver: boolean
}

/** Answers a caller whose time is over. Running hooks and a running handler may end, but nothing follows them. */
function endWait(request: FastifyRequest, reply: FastifyReply, wait: Wait): void {
  wait.timer = undefined
  if (wait.readingSince !== undefined) return
  const left = wait.answerBy - performance.now()
  if (left > 0) {
    wait.timer = setTimeout(endWait, left, request, reply, wait)
    return
  }
  wait.isOver = true
  const refusal = refusalWithoutAnswer(request)
  request.log.warn(
    { reason: refusal.reason, route: request.routeOptions.url, hasBegun: request.hasBegun },
    'refused in the last moment',
  )
  answerRefusal(reply, refusal)
}

/** When work ends after its caller was answered, keeps it from answering once more, and logs its end. */
async function endAfterAnswer(work: Promise<unknown>, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const late = () => ({ route: request.routeOptions.url, milliseconds: Math.round(reply.elapsedTime) })
  try {
    const answer = await work
    if (!request.wait?.isOver) return answer
    request.log.warn(late(), 'the work of a request ended after its caller was answered')
  } catch (error) {
    if (!request.wait?.isOver) throw error
    request.log.warn({ ...late(), err: error }, 'the work of a request failed after its caller was answered')
  }
  return undefined
}

function noteBegin(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function begin(request, reply) {
    request.hasBegun = true
    const answer: unknown = handler.call(this, request, reply)
    return answer instanceof Promise ? endAfterAnswer(answer, request, reply) : answer
  }
}

/**
 * Answers every caller within `milliseconds`, whatever its request waits for, such as a database that does not answer
 * (decision A8). The time until a body has arrived does not count, and the work of a route with `longWork` may take longer.
 * Register it before all other hooks.
 *
 * Running work is not broken off: nobody could know which part of it was done. Its statements end by the time limits of
 * their connections.
 */
export function answerInTime(app: FastifyInstance, milliseconds: number): void {
  app.decorateRequest('hasBegun', false)
  app.decorateRequest('wait')
  app.addHook('onRoute', (route) => {
    route.handler = noteBegin(route.handler)
  })
  app.addHook('onRequest', (request, reply, done) => {
    const wait: Wait = { answerBy: performance.now() + milliseconds, readingSince: undefined, timer: undefined, isOver: false }
    wait.timer = setTimeout(endWait, milliseconds, request, reply, wait)
    request.wait = wait
    done()
  })
  app.addHook('preParsing', ({ wait }, _reply, payload, done) => {
    if (wait) wait.readingSince = performance.now()
    done(null, payload)
  })
  app.addHook('preValidation', (request, reply, done) => {
    const { wait } = request
    if (wait?.readingSince !== undefined) {
      wait.answerBy += performance.now() - wait.readingSince
      wait.readingSince = undefined
      if (request.routeOptions.config.longWork !== undefined) clearTimeout(wait.timer)
      else wait.timer ??= setTimeout(endWait, wait.answerBy - performance.now(), request, reply, wait)
    }
    done()
  })
  app.addHook('onSend', ({ wait }, _reply, payload, done) => {
    clearTimeout(wait?.timer)
    done(null, payload)
  })
}
