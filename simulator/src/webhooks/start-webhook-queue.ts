import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Agent, request } from 'undici'
import { trustLocalAuthority } from './trust-local-authority.ts'

export type Webhook = {
  /** Below the callback base URL, or the whole address that the buyer gave. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly delayMilliseconds: number
}

export type WebhookQueue = {
  send(webhook: Webhook): void
  /** Gives up what is still waiting. */
  close(): Promise<void>
}

/** Seconds before each further try. */
const retrySeconds = [0.5, 1, 2, 4, 8]
const inFlightMax = 32
/** At most this many webhooks wait. Further ones are dropped, because a webhook may be lost and memory must not fill up. */
const waitingMax = 20_000
const answerTimeoutMilliseconds = 5_000
/** While nothing listens at the address, all webhooks wait this long before the next try. */
const pauseAfterRefusalMilliseconds = 250
/** Dropped webhooks are counted and reported this often. */
const droppedReportMilliseconds = 1_000

/** Starts sending webhooks to `baseUrl`, a few at a time. What waits is not kept over a restart. */
export function startWebhookQueue(baseUrl: string, dataDir: string, log: FastifyBaseLogger): WebhookQueue {
  const stopping = new AbortController()
  const { signal } = stopping
  const agent = new Agent({ connect: trustLocalAuthority(dataDir), connections: inFlightMax })
  const ready: { webhook: Webhook; failures: number }[] = []
  let next = 0
  let inFlight = 0
  let waiting = 0
  let pausedUntil = 0
  let dropped = 0

  function enqueue(webhook: Webhook, failures: number): void {
    ready.push({ webhook, failures })
    startWorkers()
  }

  function startWorkers(): void {
    while (inFlight < inFlightMax && next < ready.length) {
      void work()
    }
  }

  async function work(): Promise<void> {
    inFlight += 1
    for (let job = takeNext(); job && !signal.aborted; job = takeNext()) await tryOnce(job.webhook, job.failures)
    inFlight -= 1
  }

  function takeNext(): { webhook: Webhook; failures: number } | undefined {
    const job = ready[next]
    if (!job) return undefined
    next += 1
    // Sent entries are removed from time to time and not each time, because shortening a long array is slow.
    if (next > 1_024 && next * 2 > ready.length) {
      ready.splice(0, next)
      next = 0
    }
    return job
  }

  async function tryOnce(webhook: Webhook, failures: number): Promise<void> {
    const pause = pausedUntil - Date.now()
    if (pause > 0) await wait(pause, undefined, { signal }).catch(() => undefined)
    const problem = await post(webhook)
    if (problem === undefined || signal.aborted) {
      waiting -= 1
      return
    }
    const seconds = retrySeconds[failures]
    if (seconds === undefined) {
      waiting -= 1
      log.warn({ path: webhook.path, problem }, 'webhook given up')
      return
    }
    later(seconds * 1_000, () => enqueue(webhook, failures + 1))
  }

  /** @returns undefined when the receiver took it */
  async function post(webhook: Webhook): Promise<string | undefined> {
    try {
      const { statusCode, body } = await request(webhook.path.startsWith('/') ? `${baseUrl}${webhook.path}` : webhook.path, {
        method: 'POST',
        dispatcher: agent,
        headers: webhook.headers,
        body: webhook.body,
        headersTimeout: answerTimeoutMilliseconds,
        bodyTimeout: answerTimeoutMilliseconds,
        signal,
      })
      await body.dump()
      return statusCode >= 200 && statusCode < 300 ? undefined : `HTTP ${statusCode}`
    } catch (error) {
      pausedUntil = Date.now() + pauseAfterRefusalMilliseconds
      return error instanceof Error ? error.message : String(error)
    }
  }

  function later(milliseconds: number, act: () => void): void {
    if (milliseconds <= 0) act()
    else wait(milliseconds, undefined, { signal, ref: false }).then(act, () => undefined)
  }

  function reportDropped(): void {
    log.warn({ dropped }, 'webhooks dropped: too many wait')
    dropped = 0
  }

  return {
    send: (webhook) => {
      if (signal.aborted) return
      if (waiting >= waitingMax) {
        if (dropped === 0) later(droppedReportMilliseconds, reportDropped)
        dropped += 1
        return
      }
      waiting += 1
      later(webhook.delayMilliseconds, () => enqueue(webhook, 0))
    },
    close: async () => {
      stopping.abort()
      await agent.destroy()
    },
  }
}
