import type { RouteOptions } from 'fastify'
import { pino } from 'pino'
import { expect } from 'vitest'
import { describeApiRoutes } from './api-routes.ts'
import { buildApp } from './build-app.ts'
import { describeDashboardRoutes } from './dashboard-routes.ts'

/** Lists every route of the API, the app and the desk, as it is registered. None is called. */
export async function listRoutes(): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = []
  const app = buildApp(
    {
      log: pino({ level: 'silent' }),
      transport: { kind: 'proxy', trustedProxies: [] },
      mode: 'live',
      authenticate: () => Promise.reject(new Error('nobody calls')),
      rateLimiter: { count: () => Promise.reject(new Error('nobody calls')) },
      rateLimitOverrides: () => ({}),
      isReady: () => false,
      registerFaces: describeDashboardRoutes,
    },
    describeApiRoutes,
  )
  app.addHook('onRoute', (route) => void routes.push(route))
  await app.ready()
  await app.close()
  expect(routes.length).toBeGreaterThan(250)
  return routes
}

/** The name of a route, such as `GET /api/v2/wallet/balance`. */
export const nameOfRoute = ({ method, url }: RouteOptions): string => `${String(method)} ${url}`
