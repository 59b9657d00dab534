import type { FastifyInstance } from 'fastify'
import { shutdownSeconds } from '../../shutdown-seconds.ts'

export type CloseOptions = {
  /** How long `/readyz` says 503 while requests are still taken, for a load balancer to notice. */
  readonly noticeMilliseconds?: number
  /** After this long, requests still in flight are cut off: their callers see a reset, which they may retry. */
  readonly drainMilliseconds?: number
}

const idleCheckMilliseconds = 50

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Stops an app without losing an answer: `/readyz` turns to 503 first, then no new connection is
 * accepted, answers carry `Connection: close`, requests in flight finish, and idle connections end.
 */
export async function closeGracefully(app: FastifyInstance, options: CloseOptions = {}): Promise<void> {
  app.drain.isDraining = true
  if (options.noticeMilliseconds) await sleep(options.noticeMilliseconds)
  // A connection whose answer was already under way becomes idle only now and then; Node closes those idle at the start.
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
