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

/**
 * Opens a pool over the servers of one database; one of them accepts writes. A new connection goes to the server of the
 * connection before. If that server cannot be reached or accepts no writes, it goes to the first server in the list that
 * can be reached and accepts them. Only such connections are handed out. With `isStandby` it is the first that accepts none.
 */
export function openPool(servers: readonly pg.PoolConfig[], rules: PoolRules): PostgresPool {
  const pools = servers.map((server) => openServerPool(server, rules))
  let [preferred] = pools

  async function connect(): Promise<PostgresPoolClient> {
    const client = await connectToAny()
    // The connection itself may have shown that everything is to be held.
    if (!rules.isHeld?.()) return client
    client.release()
    throw new DatabaseAwayError([new Error('this connection is held back')])
  }

  async function connectToAny(): Promise<PostgresPoolClient> {
    const errors: unknown[] = []
    for (const pool of new Set([...(preferred ? [preferred] : []), ...pools])) {
      try {
        const client = (await pool.connect()) as DatabaseClient & pg.PoolClient
        preferred = pool
        return closeWhenUnfit(client, rules.isStandby)
      } catch (error) {
        errors.push(error)
      }
    }
    const away = new DatabaseAwayError(errors)
    noteDatabaseError(away)
    throw away
  }

  return {
    connect,
    end: async () => {
      await Promise.all(pools.map((pool) => pool.end()))
    },
    options: pools[0]?.options ?? {},
  }
}
