import type { FastifyInstance } from 'fastify'
import { shutdownSeconds } from '../../shutdown-seconds.ts'

export type CloseOptions = {
  /** `/readyz` answers 503 for this long while requests are still accepted, for a load balancer to notice. */
  readonly noticeMilliseconds?: number
  /** After this time, running requests are cut off. Their callers see a reset and may retry. */
  readonly drainMilliseconds?: number
}

const idleCheckMilliseconds = 50

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Stops an app without losing an answer, unless a request runs longer than `drainMilliseconds`. First `/readyz` turns to 503.
 * Then no new connection is accepted, answers carry `Connection: close`, running requests finish, and idle connections end.
 */
export async function closeGracefully(app: FastifyInstance, options: CloseOptions = {}): Promise<void> {
  app.drain.isDraining = true
  if (options.noticeMilliseconds) await sleep(options.noticeMilliseconds)
  // Node closes only the connections that are idle when closing begins. The others are closed here as they become idle.
  const idleTimer = setInterval(() => {
    for (const server of app.drain.servers) server.closeIdleConnections()
  }, idleCheckMilliseconds)
  const cutTimer = setTimeout(
    () => {
      app.log.warn('requests still in flight after the time to drain are cut off')
      for (const server of app.drain.servers) server.closeAllConnections()
    },
    options.drainMilliseconds ?? shutdownSeconds.api.requests * 1_000,
  )
  try {
    await app.close()
  } finally {
    clearInterval(idleTimer)
    clearTimeout(cutTimer)
  }
}
