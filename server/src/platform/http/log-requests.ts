import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
type Bindings = Parameters<FastifyBaseLogger['child']>[0]

/**
 * The log of one request, with its id on each line. The real logger is made for the first line, because few requests write one,
 * and making it costs more than checking a key.
 */
class LogOfRequest implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: Bindings
  #made: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, bindings: Bindings) {
    this.#parent = parent
    this.#bindings = bindings
  }

  #write(level: Level, line: unknown[]): void {
    this.#made ??= this.#parent.child(this.#bindings)
    const log = this.#made
    Reflect.apply(log[level], log, line)
  }

  get level(): string {
    return this.#parent.level
  }
  child(...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings)
    return this.#made.child(...given)
  }
  fatal(...line: unknown[]): void {
    this.#write('fatal', line)
  }
  error(...line: unknown[]): void {
    this.#write('error', line)
  }
  warn(...line: unknown[]): void {
    this.#write('warn', line)
  }
  info(...line: unknown[]): void {
    this.#write('info', line)
  }
  debug(...line: unknown[]): void {
    this.#write('debug', line)
  }
  trace(...line: unknown[]): void {
    this.#write('trace', line)
  }
  silent(...line: unknown[]): void {
    this.#write('silent', line)
  }
}

export function createLogOfRequest(parent: FastifyBaseLogger, bindings: Bindings): FastifyBaseLogger {
  return new LogOfRequest(parent, bindings)
}

/**
 * Writes one line per request. It has the route's pattern in place of the path, so that references stay out of the log; bodies
 * and keys never reach it. Health checks are left out.
 */
export function logRequests(app: FastifyInstance, log: Logger, level: 'info' | 'debug' = 'info'): void {
  // These fields hold no secrets, and searching each line for secrets would cost a tenth of a request's time.
  const lines = log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.config.isUnlogged) return done()
    lines[level](
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        accountId: request.caller?.accountId,
        dataAgeSeconds: request.reading?.ageSeconds,
      },
      'request',
    )
    done()
  })
}
