import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import { DatabaseAwayError } from './database-errors.ts'

/**
 * Durability of commits never depends on a weaker default of a server or a role. A stronger one, `remote_apply`,
 * is what its operator asked for and stays.
 */
const raiseDurability = `
  select set_config('synchronous_commit', 'on', false)
  where current_setting('synchronous_commit') not in ('on', 'remote_apply')`

/** The connections to one server. */
function openServerPool(config: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    Client: DatabaseClient,
    // The types know nothing of it, but the pool waits for the promise.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: async (client) => {
      ;(client as DatabaseClient).refuseReadOnlyServer()
      await client.query(raiseDurability)
    },
  })
  pool.on('error', onError)
  // A connection can also break in a transaction between two statements; unheard, that would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/** A connection that has lost its use is closed when it is given back, whatever its user knows of that. */
function closeWhenUnfit(client: DatabaseClient & pg.PoolClient): PostgresPoolClient {
  const release = client.release.bind(client)
  client.release = (isUnfit) => release(isUnfit || !client.isFit)
  return client
}

/**
 * Opens a pool over the servers of one database, of which one takes writes. Connections go to the server
 * that the last one went to; when that cannot be reached or takes no writes, to the first, in order, that
 * can. Only connections to a server that takes writes are ever handed out.
 */
export function openPool(servers: readonly pg.PoolConfig[], onError: (error: Error) => void): PostgresPool {
  const pools = servers.map((server) => openServerPool(server, onError))
  let [preferred] = pools

  async function connect(): Promise<PostgresPoolClient> {
    const errors: unknown[] = []
    for (const pool of new Set([...(preferred ? [preferred] : []), ...pools])) {
      try {
        const client = (await pool.connect()) as DatabaseClient & pg.PoolClient
        preferred = pool
        return closeWhenUnfit(client)
      } catch (error) {
        errors.push(error)
      }
    }
    throw new DatabaseAwayError(errors)
  }

  return {
    connect,
    end: async () => {
      await Promise.all(pools.map((pool) => pool.end()))
    },
    options: pools[0]?.options ?? {},
  }
}
