import type { FastifyInstance, RouteOptions } from 'fastify'

/** Sets the most bytes that the body of a route may have, for each route of a scope that does not set it itself. */
export function limitBodies(scope: FastifyInstance, bytesOf: (route: RouteOptions) => number): void {
  scope.addHook('onRoute', (route) => {
    route.bodyLimit ??= bytesOf(route)
  })
}
