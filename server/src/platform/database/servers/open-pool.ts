import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { DatabaseClient } from '../database-client.ts'
import { DatabaseAwayError } from '../database-errors.ts'
import { recordDatabaseError } from '../record-database-errors.ts'
import { chooseAmong, type PooledClient, type ServerChoice } from './choose-server.ts'

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

/** One server needs no choice: its pool waits for it as long as callers may wait. */
const chooseOnly = (pool: pg.Pool): ServerChoice => ({
  take: async () => (await pool.connect()) as PooledClient,
  noteOpening: () => Promise.resolve(),
  noteOpened: () => undefined,
  noteBroken: () => undefined,
  stop: () => undefined,
})

/**
 * Opens a pool over the servers of one database, of which one accepts writes. A new connection goes to the server of the
 * connection before. If that server accepts no writes or does not answer soon, it goes to another one that accepts them; of
 * several, to the one that was promoted last. Only such connections are handed out. With `isStandby`, only servers that accept
 * no writes are used.
 *
 * With several servers, older connections are not trusted after a connection has broken, or has not answered a statement in
 * time: they are closed instead of handed out, and all servers are asked again. When a server is found that was promoted later
 * than the one in use, all connections to the one in use end at once, also those that wait for an answer.
 */
export function openPool(servers: readonly pg.PoolConfig[], rules: PoolRules): PostgresPool {
  const { isStandby = false, onError } = rules
  const pools = servers.map((server) => openServerPool(server))
  const [first, ...others] = pools
  if (!first) throw new Error('a database needs a server')
  const addresses = servers.map(({ connectionString }) => connectionString).join(' ')
  const choice = others.length === 0 ? chooseOnly(first) : chooseAmong([first, ...others], addresses, isStandby)

  function openServerPool(server: pg.PoolConfig): pg.Pool {
    const pool: pg.Pool = new pg.Pool({
      ...server,
      Client: DatabaseClient,
      // The types do not say so, but the pool waits for this promise.
      // oxlint-disable-next-line typescript/no-misused-promises
      onConnect: (client) => prepare(pool, client as DatabaseClient),
    })
    pool.on('error', onError)
    // A connection can break between two statements of a transaction. Without a listener, that error would end the
    // process.
    pool.on('connect', (client) => client.on('error', onError))
    return pool
  }

  async function prepare(pool: pg.Pool, client: DatabaseClient): Promise<void> {
    client.refuseOtherServer(isStandby)
    await choice.noteOpening(client)
    if (!isStandby) await client.query(raiseDurability)
    await rules.onConnect?.(client)
    choice.noteOpened(pool, client)
  }

  /** Closes a connection that can no longer be used when its user releases it, even if the user did not notice. */
  function closeWhenUnfit(client: PooledClient): PostgresPoolClient {
    const release = client.release.bind(client)
    client.release = (isUnfit) => {
      if (client.isBroken) choice.noteBroken(client)
      release(isUnfit || client.isBroken || client.takesWrites === isStandby)
    }
    return client
  }

  async function connect(): Promise<PostgresPoolClient> {
    const taken = await choice.take().catch((error: unknown) => {
      const away = error instanceof DatabaseAwayError ? error : new DatabaseAwayError([error])
      recordDatabaseError(away)
      throw away
    })
    const client = closeWhenUnfit(taken)
    // The check of this new connection may have changed `isHeld` to true.
    if (!rules.isHeld?.()) return client
    client.release()
    throw new DatabaseAwayError([new Error('this connection is held back')])
  }

  return {
    connect,
    end: async () => {
      choice.stop()
      await Promise.all(pools.map((pool) => pool.end()))
    },
    options: first.options,
  }
}
