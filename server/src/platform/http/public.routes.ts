import type { FastifyInstance, RouteOptions } from 'fastify'
import { answerRefusal } from './answer-error.ts'
import { ok } from './envelope.ts'
import { type Refusal, refusals } from './refusals.ts'

/**
 * `/healthz`: the process runs. `/readyz`: it is ready for requests; 503 while the database does not answer or takes no
 * writes, while nothing is sold because history went back, or once the process drains, so that a load balancer turns to others.
 * @param whyNotReady undefined: it is ready
 */
export function registerHealthRoutes(app: FastifyInstance, whyNotReady: () => Promise<Refusal | undefined>): void {
  const options = { schema: { hide: true }, config: { isUnlogged: true } }
  app.get('/healthz', options, () => ok({ status: 'running' }))
  app.get('/readyz', options, async (_request, reply) => {
    const refusal = await whyNotReady()
    return refusal ? answerRefusal(reply, refusal) : ok({ status: 'ready' })
  })
}

/** A route that only refuses. It answers before the body is read. */
function tombstone(refusal: Refusal): Pick<RouteOptions, 'onRequest' | 'handler'> {
  return {
    onRequest: (_request, reply) => {
      answerRefusal(reply, refusal)
    },
    handler: (_request, reply) => answerRefusal(reply, refusal),
  }
}

/**
 * Routes that were removed for good answer 410 and not 404: version 1 as a whole (decision A7), and top-up through the API
 * (decision A6), with or without a key and whatever the body.
 */
export function registerRetiredRoutes(app: FastifyInstance): void {
  const method = app.supportedMethods
  for (const url of ['/api/v1', '/api/v1/*']) {
    app.route({ method, url, schema: { hide: true }, ...tombstone(refusals.versionRetired) })
  }
  app.route({
    method: 'POST',
    url: '/api/v2/wallet/topup',
    schema: {
      tags: ['Wallet'],
      operationId: 'topUpWallet',
      summary: 'Top up the wallet (removed)',
      description: 'Always answers 410, with or without a key. Wallets are topped up in the web dashboard.',
      security: [],
    },
    config: { refusals: [410] },
    ...tombstone(refusals.topUpRemoved),
  })
}

export type WellKnownSource = {
  /** The public address of this installation, without a slash at the end. */
  readonly publicUrl: string
  /** The address for reports of weaknesses, such as `mailto:…`; empty when the operator has set none. */
  securityContact(): string | Promise<string>
}

/** RFC 9116 asks for less than a year. */
const securityTextDays = 180
const millisecondsPerDay = 86_400_000

const robots = `User-agent: *
Disallow: /api/
Disallow: /callbacks/
Disallow: /docs/search
`

const noContact = 'The operator of this installation has not said where weaknesses are reported (setting security_contact).\n'

function securityText(publicUrl: string, contact: string): string {
  const expires = new Date(Math.floor(Date.now() / millisecondsPerDay + securityTextDays) * millisecondsPerDay)
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}

/** Files that programs look for on any server: rules for robots (RFC 9309), and where to report weaknesses (RFC 9116). */
export function registerWellKnownRoutes(app: FastifyInstance, source: WellKnownSource): void {
  const options = { schema: { hide: true } }
  const text = 'text/plain; charset=utf-8'
  app.get('/robots.txt', options, (_request, reply) => reply.type(text).send(robots))
  app.get('/.well-known/security.txt', options, async (_request, reply) => {
    const contact = await source.securityContact()
    // Without a contact the file would not be valid, and nobody would read mail to an invented address.
    if (contact === '') return reply.code(404).type(text).send(noContact)
    return reply.type(text).send(securityText(source.publicUrl, contact))
  })
}
