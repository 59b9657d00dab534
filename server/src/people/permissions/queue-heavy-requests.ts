import { finished } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { atWorkAlready } from '../../platform/http/one-at-a-time.ts'
import { RefusalError } from '../../platform/http/refusals.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * True when the route's work grows with the request, such as a preview of a price list. Such requests of one account run
     * one by one, as do all requests that are answered with a file.
     */
    isHeavy?: boolean
  }
}

/** The maximum number of waiting requests of an account or a member of the staff, in each process. Further ones are refused. */
const waitingMax = 4

/** The requests of one account or member of the staff: the first runs, the others wait for it. */
type Queue = (() => void)[]

/** Waits for the queue's earlier requests. The next one begins when this one is answered, or when its browser disconnects. */
async function waitInQueue(queues: Map<string, Queue>, key: string, reply: FastifyReply): Promise<void> {
  const queue = queues.get(key) ?? []
  if (queue.length > waitingMax) throw new RefusalError(atWorkAlready)
  queues.set(key, queue)
  const { promise: turn, resolve: begin } = Promise.withResolvers<void>()
  queue.push(begin)
  if (queue[0] === begin) begin()
  finished(reply.raw, () => {
    const wasRunning = queue[0] === begin
    queue.splice(queue.indexOf(begin), 1)
    if (queue.length === 0) queues.delete(key)
    else if (wasRunning) queue[0]?.()
    // Ends the wait of a request whose browser disconnected before its turn came.
    begin()
  })
  await turn
}

/**
 * Runs the heavy requests of an account one after another in this process, and likewise those of each member of the staff.
 * Many requests of one account delay no other account.
 */
export function queueHeavyRequests(scope: FastifyInstance): void {
  const queues = new Map<string, Queue>()
  scope.addHook('onRoute', (route) => {
    if (route.config?.exportedAs === undefined) return
    route.config = { ...route.config, longWork: 'A file is as long as what was asked for, and waits for its turn.' }
  })
  scope.addHook('preHandler', async (request: FastifyRequest, reply) => {
    const { isHeavy, exportedAs } = request.routeOptions.config
    if (isHeavy !== true && exportedAs === undefined) return
    await waitInQueue(queues, request.membership?.accountId ?? request.person.personId, reply)
  })
}
