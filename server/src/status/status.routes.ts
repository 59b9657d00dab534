import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type MadeFile, makeFile, openFileAnswers } from '../platform/answer-file.ts'
import { readStatus, type Status, type StatusSource } from './read-status.ts'
import { writeStatusFeed } from './status-feed.ts'
import { renderStatusPage, renderUnknownPage, statusPagePolicy } from './status-page.ts'

/**
 * A process reads the state at most every `readMilliseconds`, however many requests come. A state younger than
 * `freshMilliseconds` is shown at once, while a newer one is read. When the state is older, requests wait a little for the
 * newer one.
 */
const usualTimes = { readMilliseconds: 15_000, freshMilliseconds: 60_000 }
const waitMilliseconds = 2_000

type Rendered = { readonly status: Status; readonly feed: MadeFile; readonly now: MadeFile; old?: MadeFile }

const page = (text: string) => makeFile('text/html; charset=utf-8', text)

/** Caches between us and readers may keep an answer as long as we do, and longer while we do not answer. */
const headers = {
  'cache-control': `public, max-age=15, stale-while-revalidate=60, stale-if-error=3600`,
  'content-security-policy': statusPagePolicy,
}

export type StatusDeps = StatusSource & { readonly publicUrl: string; readonly log: Logger }

/** Keeps the last state that was read, as files. It stays when the database cannot be read. */
function keepStatus(deps: StatusDeps, { readMilliseconds, freshMilliseconds }: typeof usualTimes) {
  let kept: Rendered | undefined
  let reading: Promise<void> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  async function read(): Promise<void> {
    try {
      const status = await readStatus(deps)
      const feed = makeFile('application/atom+xml; charset=utf-8', writeStatusFeed(status, deps))
      kept = { status, feed, now: page(renderStatusPage(status, false)) }
    } catch (error) {
      deps.log.warn({ err: error }, 'the state for the status page could not be read')
    } finally {
      reading = undefined
    }
  }

  return async (): Promise<{ readonly kept: Rendered | undefined; readonly isOld: boolean }> => {
    if (reading === undefined && performance.now() - readAt >= readMilliseconds) {
      readAt = performance.now()
      reading = read()
    }
    const before = kept
    const isOld = before === undefined || Date.now() - before.status.readAt.getTime() >= freshMilliseconds
    if (reading !== undefined && isOld) await Promise.race([reading, wait(waitMilliseconds, undefined, { ref: false })])
    return { kept, isOld: isOld && kept === before }
  }
}

/**
 * Serves `/status` and its feed to anybody, from cached data: without a key, a cookie, a script, or a query per request. While
 * the database does not answer, both answer with what was read last, and the page says since when.
 */
export function registerStatusRoutes(app: FastifyInstance, deps: StatusDeps, times = usualTimes): void {
  const current = keepStatus(deps, times)
  const answerFile = openFileAnswers()
  const options = { schema: { hide: true }, config: { isUnlogged: true } }
  const register = (url: string, choose: (kept: Rendered, isOld: boolean) => MadeFile) => {
    app.get(url, options, async (request: FastifyRequest, reply: FastifyReply) => {
      const { kept, isOld } = await current()
      reply.headers(headers)
      if (kept) return answerFile(choose(kept, isOld), request, reply)
      reply.code(503).headers({ 'cache-control': 'no-store', 'retry-after': 15 })
      return reply.type('text/html; charset=utf-8').send(renderUnknownPage())
    })
  }
  register('/status', (kept, isOld) => (isOld ? (kept.old ??= page(renderStatusPage(kept.status, true))) : kept.now))
  register('/status.atom', (kept) => kept.feed)
  // Reads the state at the start, so that the process has one to show if the database fails later.
  app.addHook('onListen', async () => void current())
}
