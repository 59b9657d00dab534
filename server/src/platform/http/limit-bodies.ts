import type { FastifyInstance, RouteOptions } from 'fastify'

/** Limits the bytes of bodies, for each route of a scope that sets no limit itself. */
export function limitBodies(scope: FastifyInstance, bytesOf: (route: RouteOptions) => number): void {
  scope.addHook('onRoute', (route) => {
    route.bodyLimit ??= bytesOf(route)
  })
}
