import type { FastifyReply } from 'fastify'
import type { Outage, SupplierBehaviour } from '../control/behaviour.ts'
import type { LostAnswers } from '../lose-answer.ts'
import { errorAnswer, htmlPage } from './answer.ts'

/** What a client is told to wait when everything is throttled. */
const throttledSeconds = 1

type OutageAnswer = (reply: FastifyReply, lost: LostAnswers) => unknown

/** An empty float is not among them: it is the purchase's own business, and the balance read shows money. */
const outageAnswers: Readonly<Partial<Record<Outage, OutageAnswer>>> = {
  refuse: (reply, lost) => lost.cut(reply),
  hang: (reply, lost) => lost.hang(reply),
  error: (reply) => reply.code(500).type('text/html').send(htmlPage),
  garbage: (reply) => reply.code(200).type('application/json').send('{"status":"succ'),
  throttle: (reply) =>
    reply.code(429).header('retry-after', throttledSeconds).send(errorAnswer('RATE_LIMITED', 'Too many requests.')),
  unauthorised: (reply) => reply.code(401).send(errorAnswer('INVALID_API_KEY', 'The API key is not valid.')),
  disabled: (reply) => reply.code(403).send(errorAnswer('ACCOUNT_DISABLED', 'This account is disabled.')),
}

/**
 * Answers a request as an outage does, if there is one. Whatever it answers, nothing was executed.
 *
 * @returns whether the request is done with
 */
export function applyOutage(behaviour: SupplierBehaviour, lost: LostAnswers, reply: FastifyReply): boolean {
  const kind = reply.request.routeOptions.url?.endsWith('/purchase') ? 'purchases' : 'look_ups'
  const answer = outageAnswers[behaviour.outage]
  if (!answer || (behaviour.outageOn !== 'everything' && behaviour.outageOn !== kind)) return false
  answer(reply, lost)
  return true
}
