import type { FastifyInstance, RouteOptions } from 'fastify'
import type { RateLimit } from '../limits/endpoint-limits.ts'
import type { Refusal } from '../refusals.ts'

/** The limits and refusals of the endpoints. The OpenAPI document has them only as a sentence and as statuses. */
export type Endpoints = {
  /** Each limit once, in the order of the endpoints. */
  readonly limits: readonly RateLimit[]
  /** An endpoint's own refusals, by its `operationId`. */
  readonly refusals: ReadonlyMap<string, readonly Refusal[]>
}

/** Records the limits and refusals of the routes that are registered after this call. */
export function recordEndpoints(app: FastifyInstance): Endpoints {
  const limits = new Map<string, RateLimit>()
  const refusals = new Map<string, readonly Refusal[]>()
  app.addHook('onRoute', ({ config, schema }: RouteOptions) => {
    if (config?.limit) limits.set(config.limit.name, config.limit)
    const named = (config?.refusals ?? []).filter((refusal) => typeof refusal !== 'number')
    if (schema?.operationId !== undefined) refusals.set(schema.operationId, named)
  })
  return {
    get limits() {
      return [...limits.values()]
    },
    refusals,
  }
}
