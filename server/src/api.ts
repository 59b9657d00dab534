import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { authenticate, openAuthentication } from './accounts/authenticate.ts'
import { createTestKeyCheck } from './accounts/make-key.ts'
import { openRequestLog } from './accounts/request-log/open-request-log.ts'
import { recordCalls } from './accounts/request-log/record-calls.ts'
import { rateLimitsOf } from './all-settings.ts'
import { registerApiRoutes } from './api-routes.ts'
import { buildApp } from './build-app.ts'
import type { Config } from './config.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import { openPeople, registerDashboardRoutes } from './dashboard-routes.ts'
import { registerGatewayCallbacks } from './gateways/gateway-callbacks.ts'
import { openCommissionPlan } from './money/commission-plan.ts'
import { openNumberPlan } from './networks/number-plan.ts'
import { openConfiguredGateways } from './open-configured-gateways.ts'
import { registerCallbacks } from './orders/evidence/callbacks.ts'
import { rememberAcknowledged } from './orders/history/acknowledged-orders.ts'
import { measureIntake, tracePurchases } from './orders/intake/observe-intake.ts'
import { closeIntake, openIntake } from './orders/intake/open-intake.ts'
import type { Intake } from './orders/intake/place-orders.ts'
import { openFindOrder } from './orders/queries/find-order.ts'
import { formsOfRecipient } from './personal/recipient-hash.ts'
import { connectPool, type DatabaseOptions, databaseOver } from './platform/database/database.ts'
import { watchEpoch } from './platform/database/epoch.ts'
import { openNumberHash } from './platform/forgetting/number-hash.ts'
import type { HistoryWatch } from './platform/history/history-watch.ts'
import type { NewConnection } from './platform/history/mark.ts'
import { apiPrefix } from './platform/http/document/describe-api.ts'
import { securityContactSetting } from './platform/http/http.settings.ts'
import { describeUnsharedLimits, listApiProcesses, nameApiProcess } from './platform/http/limits/api-processes.ts'
import { createRateLimiter } from './platform/http/limits/create-rate-limiter.ts'
import { closeGracefully } from './platform/http/listener/close-gracefully.ts'
import type { HttpLimits } from './platform/http/listener/http-limits.ts'
import { followCertificate, prepareTransport } from './platform/http/listener/prepare-transport.ts'
import type { Api } from './platform/http/route-types.ts'
import type { Metrics } from './platform/metrics/open-metrics.ts'
import { openHints } from './platform/polling/send-hints.ts'
import { noReplica, openReadReplica } from './platform/replica/open-read-replica.ts'
import { loadSecretsKeys } from './platform/secrets/load-secrets-keys.ts'
import { openSettings } from './platform/settings/settings.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import type { Product } from './products/product.ts'
import { products as allProducts } from './products/products.ts'
import { registerStatusRoutes } from './status/status.routes.ts'
import { loadSuppliers } from './suppliers/registry/load-suppliers.ts'
import { loadRoutes } from './suppliers/routes/load-routes.ts'
import { openTestDatabase } from './test-side/open-test-side.ts'

export type ApiOptions = {
  readonly config: Config
  /** The address of the database, and the application role. */
  readonly database: Pick<DatabaseOptions, 'url' | 'role'>
  readonly log: Logger
  readonly metrics?: Metrics | undefined
  /** Traces each purchase. Left out: none is traced. */
  readonly tracing?: Tracing | undefined
  /** Detects lost changes of the database. Left out: nothing does. */
  readonly history?: HistoryWatch | undefined
  /** The products that this process sells. Left out: all. */
  readonly products?: readonly Product[]
  /** Another intake, and further endpoints: the benchmark measures ours against them. */
  readonly intake?: Intake
  readonly registerMore?: (api: Api) => void
  /** Other limits, for tests. */
  readonly limits?: Partial<HttpLimits> | undefined
}

export type RunningApi = {
  readonly app: FastifyInstance
  readonly dashboard: DashboardDeps
  /** The port in use, also when the configuration left the choice to the system. */
  readonly port: number
  /** Reads changes of the database at once, which otherwise takes up to a second. */
  refresh(): Promise<void>
  /** Finishes running requests, then closes the connections to the database. */
  close(): Promise<void>
}

/** Connections of the pool. Few are enough, because purchases have the intake's own connections. */
const poolSize = 8

/** The statements of requests are short. One that takes longer than this is given up: its connection probably broke. */
const queryTimeoutMilliseconds = 10_000

/** The framework itself would log `http`, because it does not know that the given server uses TLS. */
function listeningText(address: string, config: Config): string {
  return `the API listens at ${config.tls.kind === 'proxy' ? address : address.replace(/^http:/, 'https:')}`
}

/** Opens the connections to the database, and the caches in memory. */
async function openParts({ config, database, log, metrics, history }: ApiOptions) {
  const onConnectionError = (error: Error) => log.warn({ err: error }, 'a connection to the database broke')
  const { name: applicationName } = nameApiProcess(config.rateLimitStore)
  const onConnect = history && ((client: NewConnection) => history.compareConnection(client))
  const common = { ...database, applicationName, queryTimeoutMilliseconds, onConnectionError }
  const primary = connectPool({ ...common, poolSize, onConnect })
  const db = databaseOver(primary)
  const epoch = await watchEpoch(db)
  const unshared = describeUnsharedLimits(await listApiProcesses(db))
  if (unshared !== undefined) log.error(unshared)
  const settings = openSettings(db, epoch)
  const rateLimiter = createRateLimiter({
    log,
    ...(config.rateLimitStore === 'postgres' ? { store: 'postgres', db } : { store: 'memory' }),
  })
  const authentication = openAuthentication({ db, epoch, settings, failedKeys: rateLimiter.failedKeys, log })
  const routes = await loadRoutes({ db, epoch, log })
  const secretsKeys = await loadSecretsKeys(config)
  const suppliers = await loadSuppliers({ db, epoch, log, config, secretsKeys })
  const numberPlan = openNumberPlan(db, epoch)
  const commissionPlan = openCommissionPlan(db, epoch)
  const { keyFingerprint } = await openNumberHash(db, secretsKeys)
  const shared = { db, epoch, settings, suppliers, routes, secretsKeys, log, metrics, numberPlan, commissionPlan }
  const requestLog = openRequestLog({ db, settings, log, metrics })
  const url = config.readDatabaseUrl
  const replica = url === undefined ? noReplica(db) : await openReadReplica({ ...shared, standby: { ...common, url }, primary })
  return { ...shared, rateLimiter, authentication, requestLog, keyFingerprint, replica }
}

type OpenParts = Awaited<ReturnType<typeof openParts>>

/** Opens the products, and the intake that all of them use. */
async function openSales(options: ApiOptions, parts: OpenParts) {
  const sold = options.products ?? allProducts
  const products = sold.map((product) => product.openForApi(parts))
  const measure = options.metrics && measureIntake(options.metrics)
  const hint = openHints(parts.db)
  const { history } = options
  const intake =
    options.intake ??
    openIntake({
      database: options.database,
      kinds: products.map(({ kind }) => kind),
      log: options.log,
      keyFingerprint: parts.keyFingerprint,
      history: history && (await rememberAcknowledged(history, parts)),
      onBatch: (orders, seconds) => {
        measure?.(orders, seconds)
        hint(seconds * 1_000)
      },
    })
  return { sold, products, intake: options.tracing ? tracePurchases(intake, options.tracing) : intake }
}

type OpenSales = Awaited<ReturnType<typeof openSales>>

function openDashboard({ config }: ApiOptions, parts: OpenParts, { sold, products, intake }: OpenSales): DashboardDeps {
  const { db, settings, rateLimiter } = parts
  const rateLimits = rateLimitsOf(sold)
  return {
    ...parts,
    ...openPeople(config, parts),
    products,
    intake,
    findOrder: openFindOrder(db),
    gateways: openConfiguredGateways(config, parts),
    testDb: openTestDatabase(config),
    isSimulated: config.suppliers === 'simulator',
    rateLimiter,
    rateLimitOverrides: () => settings.peek(rateLimits) ?? settings.read(rateLimits),
  }
}

async function buildListeningApp(
  options: ApiOptions,
  parts: OpenParts,
  { sold, products, intake }: OpenSales,
  dashboard: DashboardDeps,
) {
  const { config, log } = options
  const { db, epoch, settings } = parts
  const { findOrder, gateways } = dashboard
  const app = buildApp(
    {
      log,
      // A person at a terminal looks for orders and errors, not for every request.
      requestLogLevel: config.logFormat === 'text' ? 'debug' : 'info',
      transport: await prepareTransport(config.tls, config),
      mode: config.suppliers === 'simulator' ? 'simulated' : 'live',
      testSide: config.testSide && { url: config.testSide.apiUrl, isTestKey: createTestKeyCheck(config.keyPrefix) },
      isPlainAllowed: config.testSideOf !== undefined,
      authenticate: (asked) => authenticate(parts.authentication, asked),
      rateLimiter: parts.rateLimiter,
      rateLimitOverrides: () => dashboard.rateLimitOverrides(),
      isReady: () => epoch.current() !== undefined,
      isHeld: () => options.history?.isSalesStopped() ?? false,
      publicUrl: config.publicUrl,
      securityContact: () => settings.peek(securityContactSetting) ?? settings.read(securityContactSetting),
      metrics: options.metrics,
      isTraced: options.tracing !== undefined,
      refusals: sold.map((product) => product.refusals),
      registerFaces: (scope) => {
        registerDashboardRoutes(scope, dashboard)
        scope.register(async (open) => registerStatusRoutes(open, { ...parts, products: sold, publicUrl: config.publicUrl }))
      },
      ...(options.limits && { limits: options.limits }),
    },
    (api) => {
      recordCalls(api, { ...parts, prefix: apiPrefix })
      registerApiRoutes(api, {
        db,
        epoch,
        products,
        facts: sold,
        intake,
        findOrder,
        formsOfRecipient: (text) => formsOfRecipient({ db, openSecrets: () => Promise.resolve(parts.secretsKeys) }, text),
      })
      options.registerMore?.(api)
    },
    (callbacks) => {
      registerGatewayCallbacks(callbacks, { db, gateways, secretsKeys: parts.secretsKeys, log })
      registerCallbacks(callbacks, {
        db,
        registry: parts.suppliers,
        secretsKeys: parts.secretsKeys,
        log,
        history: options.history,
      })
    },
  )
  await app.listen({ host: config.host, port: config.port, listenTextResolver: (address) => listeningText(address, config) })
  return app
}

/** Starts the API on a database that was checked before: connects, fills the caches, and listens. */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const parts = await openParts(options)
  const sales = await openSales(options, parts)
  const dashboard = openDashboard(options, parts, sales)
  const app = await buildListeningApp(options, parts, sales, dashboard)
  const stopFollowing = followCertificate(app, options.config.tls, options.config)
  const { epoch, routes, suppliers } = parts

  return {
    app,
    dashboard,
    port: (app.server.address() as AddressInfo).port,
    async refresh() {
      await epoch.refresh()
      await Promise.all([routes.refresh(), suppliers.refresh()])
    },
    async close() {
      stopFollowing()
      // All products are asked to stop before any is waited for. The intake and the caches still serve running requests.
      const productsStopped = Promise.all(sales.products.map(async (product) => product.stop?.()))
      await closeGracefully(app)
      await closeIntake(sales.intake)
      await parts.authentication.keyUses.close()
      await parts.requestLog.close()
      parts.rateLimiter.stop()
      await productsStopped
      routes.stop()
      await suppliers.stop()
      epoch.stop()
      await dashboard.testDb?.destroy()
      await parts.replica.stop()
      await parts.db.destroy()
    },
  }
}
