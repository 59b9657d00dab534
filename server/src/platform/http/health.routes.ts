import type { FastifyInstance } from 'fastify'
import { answerRefusal } from './answer-error.ts'
import { ok } from './envelope.ts'
import type { Refusal } from './refusals.ts'

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
