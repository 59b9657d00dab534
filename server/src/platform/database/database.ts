import {
  type Kysely,
  Kysely as KyselyDatabase,
  PostgresDialect,
  type PostgresPool,
  type Selectable,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import { DatabaseAwayError } from './database-errors.ts'
import { openPool } from './servers/open-pool.ts'
import { listServerAddresses } from './servers/server-addresses.ts'

/**
 * Every table of the database. Each folder adds its own tables by declaration merging in its `<folder>.tables.ts`, so that
 * the type of a row is beside the code that reads it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging.
export interface Tables {}

/** Some columns of a table as a statement in SQL reads them: `sql<TableRow<'wallets', 'purse' | 'balance'>>`. */
export type TableRow<Table extends keyof Tables, Column extends keyof Selectable<Tables[Table]>> = Pick<
  Selectable<Tables[Table]>,
  Column
>

/** A pool of connections. Functions that only read, or open a transaction of their own, take a `Db`. */
export type Db = Kysely<Tables>

/** An open transaction. Functions that move money or state take a `Tx`, so that nobody can call them outside one. */
export type Tx = Transaction<Tables>

/** Reads an `int8` as a number. A number above 2^53 - 1 is a bug and throws; it is never rounded. */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 out of the safe range: ${text}`)
  return value
}
pg.types.setTypeParser(pg.types.builtins.INT8, safeInteger)

export type DatabaseOptions = {
  /** A PostgreSQL connection string, also one with several hosts. */
  url: string
  poolSize: number
  /** Shown in pg_stat_activity. */
  applicationName: string
  /** Session settings such as `{ lock_timeout: '1s' }`, sent with the connection's start. */
  session?: Record<string, string>
  /** The role to switch to, where the login is another one. */
  role?: string
  /**
   * The longest wait for the answer to one statement. Left out: a connection that stopped answering is noticed only when
   * TCP gives up.
   */
  queryTimeoutMilliseconds?: number
  /** The longest wait for a free connection, after which `DatabaseAwayError` is thrown. Left out: five seconds. */
  connectTimeoutMilliseconds?: number
  /** True: connections stay open while nothing uses them. Left out: unused ones are closed after a while. */
  isKeptOpen?: boolean
  /** Called with each new connection before it is handed out. When it throws, the connection is closed. */
  onConnect?: ((client: pg.ClientBase) => Promise<void>) | undefined
  /** While this is true, no connection is handed out: `DatabaseAwayError` is thrown. */
  isHeld?: (() => boolean) | undefined
  /** True: the servers must be standbys, which accept no writes. Left out: they must accept writes. */
  isStandby?: boolean
  /** Called when an open connection breaks. The pool replaces it by itself. */
  onConnectionError?: (error: Error) => void
}

const connectTimeoutMilliseconds = 5_000

/** Idle time before a keep-alive probe. Without it, a connection that only listens does not notice a dead machine. */
const probeAfterMilliseconds = 10_000

/**
 * How long an unused connection stays open: over a minute, so that what runs once a minute or more often finds the connection of
 * its last run. Opening one costs more than such a run.
 */
const restMilliseconds = 70_000

/**
 * PostgreSQL compiles a query that it estimates to be large (`jit`). For small tables that were never analyzed the estimate is
 * far too high: reading the prices then takes 0.6 s of a processor in place of 0.001 s, while purchases wait.
 */
const neverCompiled = { jit: 'off' }

function escapeOption(value: string): string {
  return value.replaceAll(/[\\ ]/g, '\\$&')
}

/**
 * In pg, `options` in the address would replace ours, which hold our role. So they are taken out of the address and put
 * before ours.
 */
function splitOptions(address: string): { url: string; options: string } {
  const given = /[?&]options=([^&]*)/.exec(address)
  if (!given) return { url: address, options: '' }
  const url = address.replace(given[0], '').replace(/\/([^/?&]*)&/, '/$1?')
  return { url, options: decodeURIComponent(given[1]?.replaceAll('+', ' ') ?? '') }
}

export function connectDatabase(options: DatabaseOptions): Db {
  return databaseOver(connectPool(options))
}

/** A database over a pool that is shared with others. Destroying it ends the pool. */
export const databaseOver = (pool: PostgresPool): Db => new KyselyDatabase<Tables>({ dialect: new PostgresDialect({ pool }) })

export function connectPool(options: DatabaseOptions): PostgresPool {
  const session = { ...neverCompiled, ...(options.role ? { role: options.role } : {}), ...options.session }
  const address = splitOptions(options.url)
  const common: pg.PoolConfig = {
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMilliseconds ?? connectTimeoutMilliseconds,
    keepAlive: true,
    idleTimeoutMillis: options.isKeptOpen ? 0 : restMilliseconds,
    ...(options.queryTimeoutMilliseconds === undefined ? {} : { query_timeout: options.queryTimeoutMilliseconds }),
    options: [address.options, ...Object.entries(session).map(([name, value]) => `-c ${name}=${escapeOption(value)}`)]
      .join(' ')
      .trim(),
  }
  return openPool(
    listServerAddresses(address.url, options.isStandby).map((connectionString) => ({ ...common, connectionString })),
    {
      onError: (error) => options.onConnectionError?.(error),
      onConnect: options.onConnect,
      isHeld: options.isHeld,
      isStandby: options.isStandby,
    },
  )
}

/**
 * Opens one connection without our settings, to the first server of an address that accepts writes. The server may be a former
 * leader that does not know it yet, so write nothing through it that must last.
 *
 * @throws DatabaseAwayError when no server accepts writes
 */
export async function connectClient(url: string, applicationName: string): Promise<pg.Client> {
  const errors: unknown[] = []
  for (const connectionString of listServerAddresses(url)) {
    const client = new DatabaseClient({
      connectionString,
      connectionTimeoutMillis: connectTimeoutMilliseconds,
      application_name: applicationName,
      keepAlive: true,
      keepAliveInitialDelayMillis: probeAfterMilliseconds,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      client.refuseOtherServer(false)
      return client
    } catch (error) {
      errors.push(error)
      await client.end().catch(() => undefined)
    }
  }
  throw new DatabaseAwayError(errors)
}
