import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { EffectLog, EffectQuery } from './open-effect-log.ts'

type Query = { reference?: string; recipient?: string; after?: string; limit?: string }

/** `GET /effects`: streams the log as one JSON document, so that it may have any length. */
export function addEffectRoutes(app: FastifyInstance, effects: EffectLog): void {
  app.get<{ Querystring: Query }>('/effects', { schema: { querystring: querySchema } }, (request, reply) =>
    reply.type('application/json').send(Readable.from(writeDocument(effects, readQuery(request.query)))),
  )

  app.get('/effects/count', () => ({ count: effects.count() }))
}

const wholeNumber = { type: 'string', pattern: '^[0-9]{1,15}$' }

const querySchema = {
  type: 'object',
  additionalProperties: false,
  properties: { reference: { type: 'string' }, recipient: { type: 'string' }, after: wholeNumber, limit: wholeNumber },
}

function readQuery({ reference, recipient, after, limit }: Query): EffectQuery {
  return {
    reference,
    recipient,
    after: after === undefined ? undefined : Number(after),
    limit: limit === undefined ? undefined : Number(limit),
  }
}

async function* writeDocument(effects: EffectLog, query: EffectQuery): AsyncGenerator<string> {
  yield '{"effects":['
  const end = effects.size()
  let found = 0
  let next = query.after ?? 0
  for await (const part of effects.read(query)) {
    yield (found === 0 ? '' : ',') + part.map(({ effect }) => JSON.stringify(effect)).join(',')
    found += part.length
    next = part.at(-1)?.next ?? next
  }
  // `next` is the offset of the next page: behind the last effect of a full page, else the end of the file when this page
  // was begun.
  yield `],"next":${found === query.limit ? next : Math.max(next, end)}}`
}
