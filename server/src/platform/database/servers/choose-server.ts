import type pg from 'pg'
import type { DatabaseClient } from '../database-client.ts'
import { type FoundServer, findServer, listenTo, patienceMilliseconds } from './find-server.ts'
import { followPromotions } from './follow-promotions.ts'

export type PooledClient = DatabaseClient & pg.PoolClient

/** Which of several servers is used. */
export type ServerChoice = {
  /** Takes a connection from the server that was used last, or from another one if that gives none. */
  readonly take: () => Promise<PooledClient>
  /** To be called with each new connection before its first statement. */
  readonly noteOpening: (client: DatabaseClient) => Promise<void>
  /** To be called with each connection that is fit to be handed out. */
  readonly noteOpened: (pool: pg.Pool, client: DatabaseClient) => void
  /** To be called with a connection that broke or timed out: older ones are then closed, and all servers are asked again. */
  readonly noteBroken: (client: DatabaseClient) => void
  readonly stop: () => void
}

/** Takes connections from the pool until one is fit, and closes the others. */
async function takeFit(pool: pg.Pool, isFit: (client: PooledClient) => boolean): Promise<PooledClient> {
  for (;;) {
    const client = (await pool.connect()) as PooledClient
    if (isFit(client)) return client
    client.release(true)
  }
}

type TakeFrom = (pool: pg.Pool) => Promise<PooledClient>

/**
 * Takes a connection from this server. If it fails, or gives none within `patienceMilliseconds`, searches among all servers.
 */
async function takeSoonFrom(pool: pg.Pool, takeFrom: TakeFrom, search: () => Promise<pg.Pool>): Promise<PooledClient> {
  const asked = takeFrom(pool)
  while ((await listenTo(asked)) === 'silent') {
    const searched = search()
    const found: pg.Pool = await Promise.race([searched, asked.then(() => pool).catch(async () => searched)])
    if (found === pool) continue
    void asked.then(
      (late) => late.release(),
      () => undefined,
    )
    return takeSoonFrom(found, takeFrom, search)
  }
  return asked.catch(async () => takeFrom(await search()))
}

function keepClients() {
  const clients = new Set<DatabaseClient>()
  return {
    add(client: DatabaseClient): void {
      clients.add(client)
      client.once('end', () => clients.delete(client))
    },
    isWaiting: () => [...clients].some(({ waitedMilliseconds }) => waitedMilliseconds > patienceMilliseconds),
    /**
     * A commit on a former leader never ends. So the statements that wait there fail at once, and their outcome is looked up on
     * the new leader.
     */
    breakOffEarlier(newLine: string): void {
      for (const client of clients) if (client.timeLine !== '' && client.timeLine < newLine) client.breakOff()
    },
  }
}

/**
 * Chooses among several servers: of those that accept writes, the one that was promoted last.
 * @param addresses of the servers, in the order of their pools; calls with equal addresses follow promotions together
 * @param isStandby true: the servers are standbys, and the first one that answers is used
 */
export function chooseAmong(pools: readonly [pg.Pool, ...pg.Pool[]], addresses: string, isStandby: boolean): ServerChoice {
  let [preferred] = pools
  /** The timeline of the preferred server. Each promotion begins a later one. */
  let timeLine = ''
  let searching: Promise<pg.Pool> | undefined
  let doubtedAt = Number.NEGATIVE_INFINITY
  let isDoubted = false
  const clients = keepClients()
  /** Takes an unbroken connection that was opened after `doubtedAt`. */
  const takeFrom = (pool: pg.Pool) => takeFit(pool, (client) => client.openedAt >= doubtedAt && !client.isBroken)

  async function ask(pool: pg.Pool): Promise<FoundServer> {
    const client = await takeFrom(pool)
    client.release()
    return { pool, timeLine: client.timeLine }
  }

  async function search(): Promise<pg.Pool> {
    const found = await findServer(pools, ask, timeLine)
    preferred = found.pool
    timeLine = found.timeLine
    group.announce(pools.indexOf(preferred), timeLine)
    return preferred
  }

  /**
   * All callers share one search. If each searched alone while all connections of a pool are in use, many new ones would open.
   */
  function searchOnce(): Promise<pg.Pool> {
    isDoubted = false
    searching ??= search().finally(() => (searching = undefined))
    return searching
  }

  const group = followPromotions(isStandby ? `standbys ${addresses}` : addresses, {
    isWaiting: clients.isWaiting,
    search: searchOnce,
    follow: (place, newLine) => {
      const pool = pools[place]
      if (pool && (pool === preferred || newLine > timeLine)) [preferred, timeLine] = [pool, newLine]
      clients.breakOffEarlier(newLine)
    },
  })

  return {
    async take() {
      for (;;) {
        const lineBefore = timeLine
        const client = await takeSoonFrom(isDoubted ? await searchOnce() : preferred, takeFrom, searchOnce)
        // Other pools may have found a later leader meanwhile.
        if (timeLine === lineBefore || client.timeLine >= timeLine) return client
        client.release(true)
      }
    },
    async noteOpening(client) {
      if (isStandby) return
      clients.add(client)
      await client.readTimeLine()
    },
    noteOpened: (pool, client) => group.announce(pools.indexOf(pool), client.timeLine),
    noteBroken: (client) => {
      if (client.openedAt < doubtedAt || client.timeLine < timeLine) return
      doubtedAt = performance.now()
      isDoubted = true
    },
    stop: group.stop,
  }
}
