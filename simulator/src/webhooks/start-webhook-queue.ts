import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Agent, request } from 'undici'
import { trustLocalAuthority } from './trust-local-authority.ts'

export type Webhook = {
  /** POST by default. */
  readonly method?: 'POST' | 'PUT'
  /** The path below the callback base URL, or the whole address that the buyer gave. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly delayMilliseconds: number
}

export type WebhookQueue = {
  send(webhook: Webhook): void
  /** Drops the waiting webhooks. */
  close(): Promise<void>
}

/** Seconds before each further try. */
const retrySeconds = [0.5, 1, 2, 4, 8]
const inFlightMax = 32
/** At most this many webhooks wait. Further ones are dropped, so that memory does not fill up: a webhook may be lost. */
const waitingMax = 20_000
const answerTimeoutMilliseconds = 30_000
/** After a request without an answer, all webhooks wait this long before the next try. */
const pauseAfterRefusalMilliseconds = 250
/** Dropped webhooks are counted and reported this often. */
const droppedReportMilliseconds = 1_000

type Job = { readonly webhook: Webhook; readonly failures: number }

/** The webhooks that are due, in the order in which they became due. */
function createReadyJobs() {
  const jobs: Job[] = []
  let next = 0
  return {
    add: (job: Job) => void jobs.push(job),
    isEmpty: () => next >= jobs.length,
    takeNext(): Job | undefined {
      const job = jobs[next]
      if (!job) return undefined
      next += 1
      // Removes sent entries only from time to time, because shortening a long array is slow.
      if (next > 1_024 && next * 2 > jobs.length) {
        jobs.splice(0, next)
        next = 0
      }
      return job
    },
  }
}

/** Sends to the buyer's address. After a request without an answer, all tries wait: the buyer may be starting. */
function openReceiver(baseUrl: string, dataDir: string, signal: AbortSignal) {
  const agent = new Agent({ connect: trustLocalAuthority(dataDir), connections: inFlightMax })
  let pausedUntil = 0
  return {
    /** @returns the fault; undefined when the receiver accepted it */
    async post({ method = 'POST', path, headers, body: sent }: Webhook): Promise<string | undefined> {
      const pause = pausedUntil - Date.now()
      if (pause > 0) await wait(pause, undefined, { signal }).catch(() => undefined)
      try {
        const { statusCode, body } = await request(path.startsWith('/') ? `${baseUrl}${path}` : path, {
          method,
          dispatcher: agent,
          headers,
          body: sent,
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
    },
    close: () => agent.destroy(),
  }
}

/** Sends webhooks to `baseUrl`, a few at a time. A restart drops the waiting ones. */
export function startWebhookQueue(baseUrl: string, dataDir: string, log: FastifyBaseLogger): WebhookQueue {
  const stopping = new AbortController()
  const { signal } = stopping
  const receiver = openReceiver(baseUrl, dataDir, signal)
  const ready = createReadyJobs()
  let inFlight = 0
  let waiting = 0
  let dropped = 0

  function enqueue(job: Job): void {
    ready.add(job)
    while (inFlight < inFlightMax && !ready.isEmpty()) void work()
  }

  async function work(): Promise<void> {
    inFlight += 1
    for (let job = ready.takeNext(); job && !signal.aborted; job = ready.takeNext()) await tryOnce(job)
    inFlight -= 1
  }

  async function tryOnce({ webhook, failures }: Job): Promise<void> {
    const problem = await receiver.post(webhook)
    const seconds = retrySeconds[failures]
    if (problem !== undefined && seconds !== undefined && !signal.aborted) {
      later(seconds * 1_000, () => enqueue({ webhook, failures: failures + 1 }))
      return
    }
    waiting -= 1
    if (problem !== undefined && !signal.aborted) log.warn({ path: webhook.path, problem }, 'webhook given up')
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
      later(webhook.delayMilliseconds, () => enqueue({ webhook, failures: 0 }))
    },
    close: async () => {
      stopping.abort()
      await receiver.close()
    },
  }
}
