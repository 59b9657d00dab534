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

type Client = DatabaseClient & pg.PoolClient

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
 * The time line of a server that accepts writes. Each promotion begins a new one, and a leader that has lost its lease, but not
 * seen it yet, stays on the old one: it takes connections, and no commit of it ends.
 */
async function readTimeLine(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ line: string }>('select left(pg_walfile_name(pg_current_wal_lsn()), 8) as line')
  return rows[0]?.line ?? ''
}

type Found = { readonly pool: pg.Pool; readonly timeLine: string }

/**
 * Asks all servers beside each other for a connection, until one gives it; of several, the one that was promoted last is taken.
 * While one of them is silent, those that have refused are asked again and again: one may be promoted meanwhile.
 * @throws DatabaseAwayError when every server has failed
 */
async function findServer(pools: readonly pg.Pool[], ask: (pool: pg.Pool) => Promise<Found>): Promise<pg.Pool> {
  const errors = new Map<pg.Pool, unknown>()
  const found: Found[] = []
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
    await listenTo(Promise.allSettled(underWay.values()))
    return found.reduce((best, each) => (each.timeLine > best.timeLine ? each : best)).pool
  }
}

/** The servers of one database. */
type Servers = {
  /** Takes a connection from the server that was used last, or from another one if that gives none. */
  readonly take: () => Promise<Client>
  /** To be called with a connection that broke or timed out: older connections are then closed, and all servers are asked again. */
  readonly noteBroken: (client: Client) => void
}

function chooseAmong(pools: readonly pg.Pool[], isStandby: boolean): Servers {
  let [preferred] = pools
  let search: Promise<pg.Pool> | undefined
  let doubtedAt = Number.NEGATIVE_INFINITY
  let isDoubted = false

  /** Takes a connection that was opened after the last doubt. */
  async function takeFrom(pool: pg.Pool): Promise<Client> {
    for (;;) {
      const client = (await pool.connect()) as Client
      if (client.openedAt >= doubtedAt) return client
      client.release(true)
    }
  }

  async function ask(pool: pg.Pool): Promise<Found> {
    const client = await takeFrom(pool)
    try {
      return { pool, timeLine: isStandby ? '' : await readTimeLine(client) }
    } finally {
      client.release(client.isBroken)
    }
  }

  /** One search for all callers: each of its own would be a flood of connections where the only fault is that all are in use. */
  async function searchOnce(): Promise<pg.Pool> {
    isDoubted = false
    search ??= findServer(pools, ask)
      .then((found) => (preferred = found))
      .finally(() => (search = undefined))
    return search
  }

  async function take(): Promise<Client> {
    const pool = preferred
    if (!pool) throw new Error('a database needs a server')
    if (pools.length === 1) return takeFrom(pool)
    if (isDoubted) return takeFrom(await searchOnce())
    const asked = takeFrom(pool)
    while ((await listenTo(asked)) === 'silent') {
      const searching = searchOnce()
      const found: pg.Pool = await Promise.race([searching, asked.then(() => pool).catch(async () => searching)])
      if (found === pool) continue
      void asked.then(
        (late) => late.release(),
        () => undefined,
      )
      return takeFrom(found)
    }
    return asked.catch(async () => takeFrom(await searchOnce()))
  }

  return {
    take,
    noteBroken: (client) => {
      if (pools.length === 1 || client.openedAt < doubtedAt) return
      doubtedAt = performance.now()
      isDoubted = true
    },
  }
}

/**
 * Opens a pool over the servers of one database; one of them accepts writes. A new connection goes to the server of the
 * connection before. If that server accepts no writes, cannot be reached or does not answer soon, it goes to the first one that
 * answers and accepts them. Only such connections are handed out. With `isStandby` it is the first that accepts none.
 *
 * After a connection has broken, or not answered a statement in its time, those from before are thought to be no better: they are
 * closed instead of handed out, and all servers are asked again.
 */
export function openPool(servers: readonly pg.PoolConfig[], rules: PoolRules): PostgresPool {
  const { isStandby = false } = rules
  const pools = servers.map((server) => openServerPool(server, rules))
  const { take, noteBroken } = chooseAmong(pools, isStandby)

  /** When its user gives it back, closes a connection that can no longer be used, even if its user did not notice. */
  function closeWhenUnfit(client: Client): PostgresPoolClient {
    const release = client.release.bind(client)
    client.release = (isUnfit) => {
      if (client.isBroken) noteBroken(client)
      release(isUnfit || client.isBroken || client.takesWrites === isStandby)
    }
    return client
  }

  async function connect(): Promise<PostgresPoolClient> {
    const taken = await take().catch((error: unknown) => {
      const away = error instanceof DatabaseAwayError ? error : new DatabaseAwayError([error])
      noteDatabaseError(away)
      throw away
    })
    const client = closeWhenUnfit(taken)
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
