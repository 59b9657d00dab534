import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import { DatabaseAwayError } from './database-errors.ts'
import { noteDatabaseError } from './note-database-errors.ts'

/**
 * Raises the durability of commits where the server or the role has a weaker default. A stronger setting,
 * `remote_apply`, is the operator's choice and stays.
 */
const raiseDurability = `
  select set_config('synchronous_commit', 'on', false)
  where current_setting('synchronous_commit') not in ('on', 'remote_apply')`

type PoolRules = {
  readonly onError: (error: Error) => void
  /** Called with each new connection before it is handed out. */
  readonly onConnect?: ((client: pg.ClientBase) => Promise<void>) | undefined
  /** While this is true, no connection is handed out. */
  readonly isHeld?: (() => boolean) | undefined
  /** True: only standbys are used. Left out: only a server that accepts writes. */
  readonly isStandby?: boolean | undefined
}

function openServerPool(config: pg.PoolConfig, { onError, onConnect, isStandby = false }: PoolRules): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    Client: DatabaseClient,
    // The types do not say so, but the pool waits for this promise.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: async (client) => {
      ;(client as DatabaseClient).refuseOtherServer(isStandby)
      if (!isStandby) await client.query(raiseDurability)
      await onConnect?.(client)
    },
  })
  pool.on('error', onError)
  // A connection can break between two statements of a transaction. Without a listener, that error would end the
  // process.
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/** Closes a connection that can no longer be used when it is returned to the pool, even if its user did not notice. */
function closeWhenUnfit(client: DatabaseClient & pg.PoolClient, isStandby = false): PostgresPoolClient {
  const release = client.release.bind(client)
  client.release = (isUnfit) => release(isUnfit || client.isBroken || client.takesWrites === isStandby)
  return client
}

/** A server that has given no connection for so long is not waited for alone. */
const patienceMilliseconds = 500

type Answer = 'given' | 'failed' | 'silent'

async function listenTo(asked: Promise<unknown>): Promise<Answer> {
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
 * Asks all servers beside each other for a connection, until one gives it. While one of them is silent, those that have refused are
 * asked again and again: one may be promoted meanwhile.
 * @throws DatabaseAwayError when every server has failed
 */
async function findServer(pools: readonly pg.Pool[]): Promise<pg.Pool> {
  const errors = new Map<pg.Pool, unknown>()
  const underWay = new Map<pg.Pool, Promise<pg.Pool>>()

  async function ask(pool: pg.Pool): Promise<pg.Pool> {
    try {
      const client = await pool.connect()
      client.release()
      return pool
    } catch (error) {
      errors.set(pool, error)
      throw error
    } finally {
      underWay.delete(pool)
    }
  }

  for (;;) {
    for (const pool of pools) if (!underWay.has(pool)) underWay.set(pool, ask(pool))
    const first = Promise.any(underWay.values())
    const answer = await listenTo(first)
    if (answer === 'given') return first
    if (answer === 'failed') throw new DatabaseAwayError(pools.map((pool) => errors.get(pool)))
  }
}

/**
 * Opens a pool over the servers of one database; one of them accepts writes. A new connection goes to the server of the
 * connection before. If that server accepts no writes, cannot be reached or does not answer soon, it goes to the first one that
 * answers and accepts them. Only such connections are handed out. With `isStandby` it is the first that accepts none.
 */
export function openPool(servers: readonly pg.PoolConfig[], rules: PoolRules): PostgresPool {
  const pools = servers.map((server) => openServerPool(server, rules))
  let [preferred] = pools
  let search: Promise<pg.Pool> | undefined

  /** One search for all callers: each of its own would be a flood of connections where the only fault is that all are in use. */
  async function searchOnce(): Promise<pg.Pool> {
    search ??= findServer(pools)
      .then((found) => (preferred = found))
      .finally(() => (search = undefined))
    return search
  }

  async function take(pool: pg.Pool): Promise<pg.PoolClient> {
    const asked = pool.connect()
    if (pools.length === 1) return asked
    while ((await listenTo(asked)) === 'silent') {
      const searching = searchOnce()
      const found = await Promise.race([searching, asked.then(() => pool).catch(async () => searching)])
      if (found === pool) continue
      void asked.then(
        (late) => late.release(),
        () => undefined,
      )
      return found.connect()
    }
    return asked.catch(async () => (await searchOnce()).connect())
  }

  async function connect(): Promise<PostgresPoolClient> {
    if (!preferred) throw new Error('a database needs a server')
    const taken = await take(preferred).catch((error: unknown) => {
      const away = error instanceof DatabaseAwayError ? error : new DatabaseAwayError([error])
      noteDatabaseError(away)
      throw away
    })
    const client = closeWhenUnfit(taken as DatabaseClient & pg.PoolClient, rules.isStandby)
    // The connection itself may have shown that everything is to be held.
    if (!rules.isHeld?.()) return client
    client.release()
    throw new DatabaseAwayError([new Error('this connection is held back')])
  }

  return {
    connect,
    end: async () => {
      await Promise.all(pools.map((pool) => pool.end()))
    },
    options: pools[0]?.options ?? {},
  }
}
