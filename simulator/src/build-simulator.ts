import { join } from 'node:path'
import { Ajv } from 'ajv'
import type { FastifyInstance, FastifySchema, FastifySchemaCompiler } from 'fastify'
import fastify from 'fastify'
import { addControlRoutes } from './control/control.routes.ts'
import { recordRequests } from './control/record-requests.ts'
import { addDataKazinaRoutes } from './datakazina/datakazina.routes.ts'
import { openDataKazinaStandIn } from './datakazina/datakazina-stand-in.ts'
import { addDataMartRoutes } from './datamart/datamart.routes.ts'
import { openDataMartStandIn } from './datamart/datamart-stand-in.ts'
import { addEffectRoutes } from './effects/effects.routes.ts'
import { openEffectLog } from './effects/open-effect-log.ts'
import { addHubtelControlRoutes, addHubtelRoutes } from './hubtel/hubtel.routes.ts'
import { openHubtelStandIn } from './hubtel/hubtel-stand-in.ts'
import { createLostAnswers, type LostAnswers } from './lost-answers.ts'
import { addMomoControlRoutes, addMomoRoutes, type MomoStandIn } from './mtn-momo/momo.routes.ts'
import { defaultMomoBehaviour } from './mtn-momo/momo-behaviour.ts'
import { openMomoBook } from './mtn-momo/momo-book.ts'
import { openPaymentBook } from './paystack/payment-book.ts'
import { addPaystackControlRoutes, addPaystackRoutes, type PaystackStandIn } from './paystack/paystack.routes.ts'
import { defaultPaystackBehaviour } from './paystack/paystack-behaviour.ts'
import type { SimulatorConfig } from './read-simulator-config.ts'
import { openRegistry } from './registration/open-registry.ts'
import { addRegistrationControlRoutes, addRegistrationRoutes } from './registration/registration.routes.ts'
import { defaultRegistrationBehaviour } from './registration/registration-behaviour.ts'
import { addSmscRoutes } from './smsc/smsc.routes.ts'
import { startSmsc } from './smsc/start-smsc.ts'
import { createUndecidedPayers } from './undecided-payers.ts'
import { startWebhookQueue } from './webhooks/start-webhook-queue.ts'

export type Simulator = {
  readonly app: FastifyInstance
  readonly smscPort: number
  /** Stops the simulator: running requests are finished, requests that hang are cut, and the files are closed. */
  readonly stop: () => Promise<void>
}

/** Compiles the check of a schema at its first use. Compiling all of them took a third of the simulator's start. */
function validateWhenUsed(): FastifySchemaCompiler<FastifySchema> {
  const ajv = new Ajv({ useDefaults: true, addUsedSchema: false })
  return ({ schema, httpPart }) => {
    let check: ReturnType<typeof ajv.compile> | undefined
    return (data: unknown) => {
      check ??= ajv.compile(schema)
      return check(data) ? true : { error: new Error(ajv.errorsText(check.errors, { dataVar: httpPart ?? 'data' })) }
    }
  }
}

/** While `isStopping`, each answer closes its connection, because an open connection would delay the stop. */
function newApp(config: SimulatorConfig, isStopping: () => boolean): FastifyInstance {
  const app = fastify({
    // The same form as the lines of the platform, between which they stand.
    logger: {
      level: config.logLevel,
      base: { role: 'simulator' },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    logController: new fastify.LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 300 },
    return503OnClosing: true,
  })
  app.setValidatorCompiler(validateWhenUsed())
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping()) reply.header('connection', 'close')
  })
  return app
}

async function openStandIns(app: FastifyInstance, config: SimulatorConfig, folder: string) {
  const webhooks = startWebhookQueue(config.callbackBaseUrl, config.dataDir, app.log)
  const deliveredBy = {
    datamart: new Map<string, number>(),
    datakazina: new Map<string, number>(),
    hubtel: new Map<string, number>(),
  }
  const effects = await openEffectLog(folder, ({ supplier, reference, at }) => {
    if (Object.hasOwn(deliveredBy, supplier)) deliveredBy[supplier as keyof typeof deliveredBy].set(reference, Date.parse(at))
  })
  const registrations = defaultRegistrationBehaviour(config.timeScale)
  const registry = await openRegistry(folder, registrations)
  const isRegisteredSomewhere = (number: string) => registry.isRegisteredSomewhere(number)
  const deps = { config, folder, effects, isRegisteredSomewhere, log: app.log }
  const datamart = await openDataMartStandIn({ ...deps, delivered: deliveredBy.datamart, webhooks })
  const datakazina = await openDataKazinaStandIn({ ...deps, delivered: deliveredBy.datakazina })
  const hubtel = await openHubtelStandIn({ config, folder, effects, delivered: deliveredBy.hubtel, webhooks, log: app.log })
  for (const delivered of Object.values(deliveredBy)) delivered.clear()
  const suppliers = [datamart, datakazina, hubtel]
  return { datamart, datakazina, hubtel, suppliers, registrations, registry, webhooks, effects }
}

type StandIns = Awaited<ReturnType<typeof openStandIns>>

/** Shared by the routes of all suppliers. */
type Work = { readonly lost: LostAnswers; readonly stopping: AbortSignal }

type GatewayDeps = Pick<PaystackStandIn & MomoStandIn, 'webhooks' | 'lost' | 'requests'> & Pick<Work, 'stopping'>

async function addGateways(app: FastifyInstance, config: SimulatorConfig, { stopping, ...deps }: GatewayDeps): Promise<void> {
  const paystack: PaystackStandIn = {
    ...deps,
    payers: createUndecidedPayers(stopping),
    book: openPaymentBook(),
    behaviour: defaultPaystackBehaviour(config.timeScale),
    secretKey: config.paystack.secretKey,
  }
  await app.register(async (scope) => addPaystackRoutes(scope, paystack), { prefix: '/paystack' })
  addPaystackControlRoutes(app, paystack, config.timeScale)
  const momo: MomoStandIn = {
    ...deps,
    payers: createUndecidedPayers(stopping),
    book: openMomoBook(),
    behaviour: defaultMomoBehaviour(config.timeScale),
    credentials: config.mtnMomo,
    tokens: new Map(),
  }
  await app.register(async (scope) => addMomoRoutes(scope, momo), { prefix: '/mtn-momo' })
  addMomoControlRoutes(app, momo, config.timeScale)
}

async function addRoutes(
  app: FastifyInstance,
  config: SimulatorConfig,
  standIns: StandIns,
  { lost, stopping }: Work,
): Promise<void> {
  const { datamart, datakazina, hubtel, suppliers, registrations, registry, effects } = standIns
  const requests = recordRequests(
    app,
    [...suppliers.map(({ name }) => name), 'registration', 'paystack', 'mtn-momo'].map((name) => `/${name}/`),
  )
  addControlRoutes(app, suppliers, requests)
  addEffectRoutes(app, effects)
  addRegistrationControlRoutes(app, registrations, config.timeScale)
  await app.register(async (scope) => addDataMartRoutes(scope, datamart, lost, requests), { prefix: '/datamart' })
  await app.register(async (scope) => addDataKazinaRoutes(scope, datakazina, lost, requests), { prefix: '/datakazina' })
  await app.register(async (scope) => addHubtelRoutes(scope, hubtel, lost, requests), { prefix: '/hubtel' })
  addHubtelControlRoutes(app, hubtel)
  await addGateways(app, config, { webhooks: standIns.webhooks, lost, requests, stopping })
  const { apiKey } = config.registration
  await app.register((scope) => addRegistrationRoutes(scope, { registry, behaviour: registrations, apiKey, lost, requests }))
}

/** Puts all suppliers together. Nothing else knows all of them. */
export async function buildSimulator(config: SimulatorConfig): Promise<Simulator> {
  let isStopping = false
  const stopping = new AbortController()
  const app = newApp(config, () => isStopping)
  const folder = join(config.dataDir, 'simulator')
  const lost = createLostAnswers()
  const standIns = await openStandIns(app, config, folder)
  await addRoutes(app, config, standIns, { lost, stopping: stopping.signal })
  const smsc = await startSmsc({ ...config, ...config.smsc }, folder)
  addSmscRoutes(app, smsc)

  return {
    app,
    smscPort: smsc.port,
    stop: async () => {
      isStopping = true
      stopping.abort()
      lost.cutAll()
      await app.close()
      for (const supplier of standIns.suppliers) await supplier.close()
      await smsc.close()
      await standIns.registry.close()
      await standIns.webhooks.close()
      await standIns.effects.close()
    },
  }
}
