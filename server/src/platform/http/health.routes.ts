import type { FastifyInstance } from 'fastify'
import { answerRefusal } from './answer-error.ts'
import { ok } from './envelope.ts'
import { refusals } from './refusals.ts'

/**
 * `/healthz`: the process runs. `/readyz`: it is ready for requests; 503 while the database does not answer or takes no
 * writes, or once the process drains, so that a load balancer turns to others.
 */
export function registerHealthRoutes(app: FastifyInstance, isReady: () => boolean | Promise<boolean>): void {
  const options = { schema: { hide: true }, config: { isUnlogged: true } }
  app.get('/healthz', options, () => ok({ status: 'running' }))
  app.get('/readyz', options, async (_request, reply) =>
    (await isReady()) ? ok({ status: 'ready' }) : answerRefusal(reply, refusals.notReady),
  )
}
