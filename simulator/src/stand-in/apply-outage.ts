import type { FastifyReply } from 'fastify'
import type { Outage, SupplierBehaviour } from '../control/behaviour.ts'
import type { LostAnswers } from '../lost-answers.ts'

/** The page that a gateway shows when the server behind it is broken. */
export const htmlPage = '<!DOCTYPE html><html><head><title>500</title></head><body><h1>Internal Server Error</h1></body></html>'

/** The answers of one supplier for each kind of outage. */
export type OutageWords = {
  /** The path of a purchase, as its route is declared. */
  readonly purchasePath: string
  /** An incomplete body. */
  readonly garbage: string
  readonly throttled: unknown
  readonly unauthorised: unknown
  readonly disabled: unknown
}

/** `Retry-After`, in seconds, while all requests are throttled. */
const throttledSeconds = 1

type OutageAnswer = (reply: FastifyReply, lost: LostAnswers, words: OutageWords) => unknown

/** An empty float is not listed: it refuses only purchases, while the balance still shows money. */
const outageAnswers: Readonly<Partial<Record<Outage, OutageAnswer>>> = {
  refuse: (reply, lost) => lost.cut(reply),
  hang: (reply, lost) => lost.hang(reply),
  error: (reply) => reply.code(500).type('text/html').send(htmlPage),
  garbage: (reply, _lost, words) => reply.code(200).type('application/json').send(words.garbage),
  throttle: (reply, _lost, words) => reply.code(429).header('retry-after', throttledSeconds).send(words.throttled),
  unauthorised: (reply, _lost, words) => reply.code(401).send(words.unauthorised),
  disabled: (reply, _lost, words) => reply.code(403).send(words.disabled),
}

/**
 * Answers a request as the present outage demands, and executes nothing.
 * @returns whether the request has been answered
 */
export function applyOutage(behaviour: SupplierBehaviour, lost: LostAnswers, reply: FastifyReply, words: OutageWords): boolean {
  const kind = reply.request.routeOptions.url?.endsWith(words.purchasePath) ? 'purchases' : 'look_ups'
  const answer = outageAnswers[behaviour.outage]
  if (!answer || (behaviour.outageOn !== 'everything' && behaviour.outageOn !== kind)) return false
  answer(reply, lost, words)
  return true
}
