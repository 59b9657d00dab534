import type { FastifyInstance } from 'fastify'
import { mayChange } from '../http/answer-error.ts'
import type { Reading, ReadReplica } from './open-read-replica.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on requests that may be answered from the replica. */
    reading: Reading | undefined
  }
}

/** Says how many seconds old the answer may be. */
const dataAgeHeader = 'x-makola-data-age'

/**
 * Set when a person has changed something, for as long as the replica may lack the change. The browser sends it to every
 * process, and meanwhile the person's reads go to the primary.
 */
const changedCookie = '__Host-makola_changed'

/** Lets `readDb` read from the replica in GET requests of this scope. */
export function readFromReplica(scope: FastifyInstance, replica: ReadReplica): void {
  const { readMostSeconds } = replica
  if (!readMostSeconds) return
  scope.decorateRequest('reading')
  scope.addHook('onRoute', (route) => {
    const { handler } = route
    if (route.method !== 'GET') return
    route.handler = function readOnReplica(request, reply) {
      const reading: Reading = { isOnPrimary: request.headers.cookie?.includes(`${changedCookie}=`) ?? false }
      request.reading = reading
      return replica.ask<unknown>(async () => handler.call(this, request, reply), reading)
    }
  })
  scope.addHook('onSend', async (request, reply) => {
    const { reading } = request
    if (reading?.ageSeconds !== undefined) reply.header(dataAgeHeader, reading.ageSeconds)
    if (!mayChange(request)) return
    const seconds = (await readMostSeconds()) + 1
    reply.header('set-cookie', `${changedCookie}=1; Max-Age=${seconds}; Path=/; HttpOnly; Secure; SameSite=Lax`)
  })
}
