import type { Server } from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Caller, KeyType } from './accounts/caller.ts'
import { addExamples } from './docs/add-examples.ts'
import { type OpenSite, openSite, registerDocsRoutes } from './docs/docs.routes.ts'
import { describeWebhooks } from './notices/webhooks/describe-webhooks.ts'
import { servePages } from './pages/serve-pages.ts'
import { personCookies, readCookie } from './people/auth/person-cookies.ts'
import { answerError, answerRefusal } from './platform/http/answer-error.ts'
import { type CallerChecks, checkCallers } from './platform/http/check-caller.ts'
import { compileSerializer, compileWhenUsed } from './platform/http/compile-schemas.ts'
import { apiPrefix, describeApi } from './platform/http/document/describe-api.ts'
import { type Endpoints, recordEndpoints } from './platform/http/document/record-endpoints.ts'
import { answerInTime } from './platform/http/limits/answer-in-time.ts'
import type { RateLimit } from './platform/http/limits/endpoint-limits.ts'
import { createListener, type Transport } from './platform/http/listener/create-listener.ts'
import { type HttpLimits, httpLimits } from './platform/http/listener/http-limits.ts'
import { createLogOfRequest, logRequests } from './platform/http/log-requests.ts'
import { prepareAnswers } from './platform/http/prepare-answers.ts'
import { registerHealthRoutes, registerRetiredRoutes, registerWellKnownRoutes } from './platform/http/public.routes.ts'
import { compileValidator, limitBodies, parseJsonBodies, receiveCallbacks } from './platform/http/read-requests.ts'
import { type Refusal, type Refusals, refusals } from './platform/http/refusals.ts'
import { dropZones, identifyRequest } from './platform/http/request-headers.ts'
import type { Api } from './platform/http/route-types.ts'
import { measureRequests } from './platform/metrics/measure-requests.ts'
import type { Metrics } from './platform/metrics/open-metrics.ts'
import { followRequests } from './platform/tracing/follow-requests.ts'
import { forwardTestKeys } from './test-side/forward-test-keys.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The key type that the endpoint takes; every endpoint of the API names one. */
    keyType?: KeyType
    /** The budget of requests per key. */
    limit?: RateLimit
    /**
     * Refusals besides those of the common checks: statuses for the OpenAPI document, or whole refusals, which the
     * documentation then shows as examples.
     */
    refusals?: readonly (Refusal | Refusal['status'])[]
    /** True for frequent requests of our own, whose lines in the log would hide all others. */
    isUnlogged?: boolean
  }
  interface FastifyRequest {
    /** Set on every request that reaches a handler of the API. */
    caller: Caller
    /** The owner of a key that was recognised and refused. */
    refusedCaller: Caller | undefined
  }
  interface FastifyInstance {
    /** The listening servers, and whether the app is closing. */
    drain: { isDraining: boolean; readonly servers: Server[] }
    /** The limits and refusals that the endpoints declare. */
    endpoints: Endpoints
  }
}

/** The parts of a process that the HTTP layer uses. */
export type AppDeps = CallerChecks & {
  readonly log: Logger
  /** The level of the line for each request; `info` unless given. */
  readonly requestLogLevel?: 'info' | 'debug'
  readonly transport: Transport
  readonly mode: 'simulated' | 'live'
  /** Forwards requests with a test key. Undefined: there is no test side. */
  readonly testSide?: Parameters<typeof forwardTestKeys>[1] | undefined
  /** True: this is a test side, which programs on this machine call in plain HTTP. */
  readonly isPlainAllowed?: boolean
  /** False while the process cannot serve requests, above all while the database does not answer. */
  isReady(): boolean | Promise<boolean>
  /** True while nothing may be sold: the database lost changes. */
  isHeld?(): boolean
  /** Undefined where nobody reads the metrics. */
  readonly metrics?: Metrics | undefined
  /** True: purchases are traced, so their code must know the request. */
  readonly isTraced?: boolean
  /** The address that the documentation shows. */
  readonly publicUrl?: string
  /** The products' own refusals, for the documentation. */
  readonly refusals?: readonly Refusals[]
  /** The address for reports of weaknesses; empty when the operator has set none. */
  securityContact?(): string | Promise<string>
  /** Other limits, for tests. */
  readonly limits?: Partial<HttpLimits>
  /** For tests: compiles every schema at the start, which shows whether all of them can be compiled. */
  readonly isCompiledAhead?: boolean
  /** Registers the routes for browsers. Left out: there are none. */
  registerFaces?(app: FastifyInstance): void
}

function newFastify(deps: AppDeps, limits: HttpLimits): FastifyInstance {
  const servers: Server[] = []
  // Fastify's own, narrower type. Otherwise the type of every instance would name pino's logger.
  const log: FastifyBaseLogger = deps.log
  const app = fastify({
    loggerInstance: log,
    // `logRequests` writes one line per request instead.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    childLoggerFactory: createLogOfRequest,
    genReqId: identifyRequest,
    serverFactory: (onRequest) => {
      const server = createListener(deps.transport, limits, deps.log, onRequest)
      servers.push(server)
      return server
    },
    trustProxy: deps.transport.kind === 'proxy' && [...deps.transport.trustedProxies],
    bodyLimit: limits.openBodyBytes,
    routerOptions: { maxParamLength: limits.pathParameterLength },
    // HEAD is not in the contract: it is an unknown route (decision A13).
    exposeHeadRoutes: false,
    // While the app closes, a late request is still served; Fastify's own 503 would not have the form of our answers.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply.header('x-request-id', request.id))
    },
  })
  app.decorate('drain', { isDraining: false, servers })
  return app
}

/** Registers everything that may be read without a key: health, security contact, documentation and pages. */
function registerPublicPages(scope: FastifyInstance, deps: AppDeps, site: OpenSite, publicUrl: string): void {
  registerHealthRoutes(scope, async () => {
    if (scope.drain.isDraining || !(await deps.isReady())) return refusals.notReady
    return deps.isHeld?.() ? refusals.historyHeld : undefined
  })
  registerRetiredRoutes(scope)
  registerWellKnownRoutes(scope, { publicUrl, securityContact: () => deps.securityContact?.() ?? '' })
  registerDocsRoutes(scope, site)
  const hasSession = (cookie: string | undefined) => readCookie(cookie, personCookies.session) !== undefined
  servePages(scope, { ...site, hasSession })
}

/**
 * Builds the HTTP application without opening a port.
 *
 * @param register registers the endpoints under `/api/v2`; each names its key type in `config.keyType`
 * @param registerCallbacks registers the callbacks of suppliers and payment gateways under `/callbacks`, where
 * `request.body` is the raw Buffer
 */
export function buildApp(
  deps: AppDeps,
  register: (api: Api) => void,
  registerCallbacks: (callbacks: FastifyInstance) => void = () => undefined,
): FastifyInstance {
  const limits = { ...httpLimits, ...deps.limits }
  const app = newFastify(deps, limits)
  app.decorate('endpoints', recordEndpoints(app))
  app.decorateRequest('caller')
  app.decorateRequest('refusedCaller')
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((_request, reply) => answerRefusal(reply, refusals.routeNotFound))
  app.setValidatorCompiler(deps.isCompiledAhead ? compileValidator : compileWhenUsed(compileValidator))
  app.setSerializerCompiler(deps.isCompiledAhead ? compileSerializer : compileWhenUsed(compileSerializer))
  parseJsonBodies(app)
  answerInTime(app, limits.answerMilliseconds)
  dropZones(app)
  const publicUrl = deps.publicUrl ?? 'https://localhost:8443'
  const site = openSite(app, {
    publicUrl,
    isSimulated: deps.mode === 'simulated',
    refusals: [refusals, ...(deps.refusals ?? [])],
    endpoints: app.endpoints,
  })
  const { transport, mode, isPlainAllowed = false } = deps
  prepareAnswers(app, {
    transport,
    mode,
    isPlainAllowed,
    isDraining: () => app.drain.isDraining,
    answerUnknown: site.answerUnknown,
  })
  logRequests(app, deps.log, deps.requestLogLevel)
  if (deps.metrics) measureRequests(app, deps.metrics)
  if (deps.isTraced) followRequests(app)
  describeApi(app, { publicUrl, addExamples, webhooks: describeWebhooks() })
  app.register(
    async (scope) => {
      limitBodies(scope, () => limits.apiBodyBytes)
      if (deps.testSide) forwardTestKeys(scope, deps.testSide)
      checkCallers(scope, deps)
      register(scope.withTypeProvider())
    },
    { prefix: apiPrefix },
  )
  deps.registerFaces?.(app)
  app.register(
    async (scope) => {
      receiveCallbacks(scope, limits.callbackBodyBytes)
      registerCallbacks(scope)
    },
    { prefix: '/callbacks' },
  )
  app.register(async (scope) => registerPublicPages(scope, deps, site, publicUrl))
  return app
}
