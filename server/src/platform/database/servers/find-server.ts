import type pg from 'pg'
import { DatabaseAwayError } from '../database-errors.ts'

/** After this long without a connection, or without an answer to a statement, all the other servers are asked too. */
export const patienceMilliseconds = 500

type Answer = 'given' | 'failed' | 'silent'

/** Waits up to `patienceMilliseconds` to learn how the promise ends. `silent`: it is still pending. */
export async function listenTo(asked: Promise<unknown>): Promise<Answer> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMilliseconds, 'silent')
    const hear = (answer: Answer) => () => {
      clearTimeout(timer)
      resolve(answer)
    }
    asked.then(hear('given'), hear('failed'))
  })
}

/**
 * A server that gave a connection, and its timeline: PostgreSQL's number that grows with each promotion. Empty for a single
 * server and for standbys, because theirs are not compared.
 */
export type FoundServer = { readonly pool: pg.Pool; readonly timeLine: string }

/**
 * Asks all servers at the same time until one gives a connection; of several, the one that was promoted last is taken. While a
 * server is silent, those that have refused are asked again and again: one may be promoted meanwhile.
 * @param knownLine the timeline that was used last; a server with a later one is taken without waiting for the others
 * @throws DatabaseAwayError when every server has failed
 */
export async function findServer(
  pools: readonly pg.Pool[],
  ask: (pool: pg.Pool) => Promise<FoundServer>,
  knownLine: string,
): Promise<FoundServer> {
  const errors = new Map<pg.Pool, unknown>()
  const found: FoundServer[] = []
  const underWay = new Map<pg.Pool, Promise<void>>()

  async function begin(pool: pg.Pool): Promise<void> {
    try {
      found.push(await ask(pool))
    } catch (error) {
      errors.set(pool, error)
      throw error
    } finally {
      underWay.delete(pool)
    }
  }

  for (;;) {
    for (const pool of pools) if (!underWay.has(pool)) underWay.set(pool, begin(pool))
    const answer = await listenTo(Promise.any(underWay.values()))
    if (answer === 'failed') throw new DatabaseAwayError(pools.map((pool) => errors.get(pool)))
    if (answer === 'silent') continue
    const isLater = knownLine !== '' && found.some(({ timeLine }) => timeLine > knownLine)
    if (!isLater) await listenTo(Promise.allSettled(underWay.values()))
    return found.reduce((best, each) => (each.timeLine > best.timeLine ? each : best))
  }
}
