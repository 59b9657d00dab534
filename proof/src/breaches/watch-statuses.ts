import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../client.ts'
import type { ApiProcess } from '../describe-processes.ts'
import type { AnsweredOrder, Call } from '../journal.ts'

const pollers = 4
const pauseMilliseconds = 25

/** Statuses that may follow each status that a client read. The same status may follow itself. */
const mayFollow: Readonly<Record<string, readonly string[]>> = {
  queued: ['pending', 'processing', 'completed', 'failed', 'refunded'],
  pending: ['processing', 'completed', 'failed', 'refunded'],
  processing: ['completed', 'failed', 'refunded'],
  failed: ['refunded'],
  completed: [],
  refunded: [],
}

const folders = {
  '/data/purchase': '/orders',
  '/data/bulk': '/orders',
  '/airtime/purchase': '/airtime/orders',
  '/utilities/pay': '/utilities/orders',
} as const satisfies Record<Call['path'], string>

type Followed = { readonly path: string; readonly key: string; status: string | undefined; isAsked: boolean }

export type StatusWatch = {
  /** Polls these orders too, also after they have ended. */
  follow(call: Call, orders: readonly AnsweredOrder[]): void
  /** How often a status was read. */
  reads(): number
  /**
   * Ends the polling.
   * @throws with the impossible statuses that a client read
   */
  stop(): Promise<void>
}

/** Polls orders as their client would, one after the other, again and again. No order is polled twice at the same time. */
export function watchStatuses(client: Client, apis: readonly ApiProcess[]): StatusWatch {
  const followed: Followed[] = []
  const breaches: string[] = []
  const stopping = new AbortController()
  let next = 0
  let reads = 0

  function recordStatus(order: Followed, status: unknown): void {
    reads += 1
    const { path, status: before = 'queued' } = order
    if (status !== before && !mayFollow[before]?.includes(String(status)))
      breaches.push(`${path}: ${String(status)} after ${before}`)
    order.status = String(status)
  }

  async function askNext(): Promise<void> {
    const order = followed[next % followed.length]
    const api = apis[next % apis.length]
    next += 1
    if (!order || !api || order.isAsked) return
    order.isAsked = true
    const outcome = await client.ask({ url: `${api.url}/api/v2${order.path}`, key: order.key })
    order.isAsked = false
    if (outcome.class === 'accepted' && outcome.kind === 'answer') recordStatus(order, outcome.body?.data?.['status'])
    // The order was acknowledged, so no process may say that it does not exist.
    if (outcome.class === 'business') breaches.push(`${order.path}: ${outcome.kind === 'answer' ? outcome.text : outcome.code}`)
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      await askNext()
      await sleep(pauseMilliseconds)
    }
  }

  const polling = Promise.all(Array.from({ length: pollers }, poll))
  return {
    follow({ path, key }, orders) {
      const folder = folders[path]
      for (const { reference } of orders) {
        followed.push({ path: `${folder}/${encodeURIComponent(reference)}`, key, status: undefined, isAsked: false })
      }
    },
    reads: () => reads,
    async stop() {
      stopping.abort()
      await polling
      if (breaches.length > 0) throw new Error(breaches.join('\n'))
    },
  }
}
