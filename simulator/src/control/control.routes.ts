import type { FastifyInstance } from 'fastify'
import type { SimulatedSupplier, WebhookOrder } from '../simulated-supplier.ts'
import type { BehaviourChange } from './behaviour.ts'
import { behaviourChangeSchema, changeBehaviour, viewBehaviour } from './behaviour.ts'
import type { RequestRecord } from './record-requests.ts'

/**
 * Routes by which tests and demos control the suppliers. They are reachable from this machine only, and need no key.
 */
export function addControlRoutes(app: FastifyInstance, suppliers: readonly SimulatedSupplier[], requests: RequestRecord): void {
  const names = suppliers.map(({ name }) => name)
  const viewAll = () => Object.fromEntries(suppliers.map(({ name, behaviour }) => [name, viewBehaviour(behaviour)]))

  addEventRoutes(app, suppliers, names)

  app.get('/health', () => ({ status: 'ready', pid: process.pid }))

  app.get('/control/behaviour', () => viewAll())

  app.post<{ Body: Record<string, BehaviourChange> }>(
    '/control/behaviour',
    {
      schema: {
        body: {
          type: 'object',
          additionalProperties: false,
          properties: Object.fromEntries(names.map((name) => [name, behaviourChangeSchema])),
        },
      },
    },
    (request) => {
      for (const supplier of suppliers) {
        const change = request.body[supplier.name]
        if (!change) continue
        changeBehaviour(supplier.behaviour, change)
        if (change.floatGhs !== undefined) supplier.setFloatGhs(change.floatGhs)
      }
      return viewAll()
    },
  )

  app.delete('/control/behaviour', () => {
    for (const supplier of suppliers) supplier.resetBehaviour()
    return viewAll()
  })

  app.get<{ Querystring: { reference?: string; path?: string } }>('/requests', (request) => ({
    counts: requests.counts(),
    suppliers: Object.fromEntries(suppliers.map((supplier) => [supplier.name, supplier.counts()])),
    requests: requests.find(request.query),
  }))
}

/** Routes that end purchases or send webhooks at once. */
function addEventRoutes(app: FastifyInstance, suppliers: readonly SimulatedSupplier[], names: readonly string[]): void {
  app.post('/control/endings', async () => {
    await Promise.all(suppliers.map((supplier) => supplier.finishAll()))
    return { status: 'ended' }
  })

  app.post<{ Body: WebhookOrder & { supplier: string } }>(
    '/control/webhooks',
    {
      schema: {
        body: {
          type: 'object',
          additionalProperties: false,
          required: ['supplier', 'reference', 'orderStatus'],
          properties: {
            supplier: { enum: names },
            reference: { type: 'string', minLength: 1 },
            orderStatus: { type: 'string', minLength: 1 },
            signature: { enum: ['valid', 'forged', 'missing'], default: 'valid' },
          },
        },
      },
    },
    async (request, reply) => {
      const { supplier: name, ...webhook } = request.body
      const isSent = suppliers.some((supplier) => supplier.name === name && supplier.sendWebhook(webhook))
      return isSent ? reply.code(202).send({ status: 'on its way' }) : reply.code(404).send({ error: 'no such order' })
    },
  )
}
