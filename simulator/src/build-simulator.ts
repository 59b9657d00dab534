import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import { addControlRoutes } from './control/control.routes.ts'
import { recordRequests } from './control/record-requests.ts'
import { addDataMartRoutes } from './datamart/datamart.routes.ts'
import { openDataMartDesk } from './datamart/datamart-desk.ts'
import { addEffectRoutes } from './effects/effects.routes.ts'
import { openEffectLog } from './effects/open-effect-log.ts'
import { loseAnswers } from './lose-answer.ts'
import type { SimulatorConfig } from './read-simulator-config.ts'
import { startWebhookQueue } from './webhooks/start-webhook-queue.ts'

export type Simulator = {
  readonly app: FastifyInstance
  /** Answers what is under way, cuts what hangs, and closes the books. */
  readonly stop: () => Promise<void>
}

/** Puts the suppliers together: the only place that knows all of them. */
export async function buildSimulator(config: SimulatorConfig): Promise<Simulator> {
  const app = fastify({
    logger: { level: config.logLevel, base: { role: 'simulator' } },
    logController: new fastify.LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 300 },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    return503OnClosing: true,
  })
  let isStopping = false
  // A connection that is kept alive would hold up the stop for as long as its client likes.
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close')
  })

  const folder = join(config.dataDir, 'simulator')
  const lost = loseAnswers()
  const webhooks = startWebhookQueue(config.callbackBaseUrl, config.dataDir, app.log)
  const delivered = new Map<string, number>()
  const effects = await openEffectLog(folder, (effect) => delivered.set(effect.reference, Date.parse(effect.at)))
  const datamart = await openDataMartDesk({ config, folder, effects, delivered, webhooks, log: app.log })
  delivered.clear()
  const suppliers = [datamart]

  const requests = recordRequests(
    app,
    suppliers.map(({ name }) => `/${name}/`),
  )
  addControlRoutes(app, suppliers, requests)
  addEffectRoutes(app, effects)
  await app.register(async (scope) => addDataMartRoutes(scope, datamart, lost, requests), { prefix: '/datamart' })

  return {
    app,
    stop: async () => {
      isStopping = true
      lost.cutAll()
      await app.close()
      for (const supplier of suppliers) await supplier.close()
      await webhooks.close()
      await effects.close()
    },
  }
}
