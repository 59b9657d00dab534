import { createHash } from 'node:crypto'
import { type Kysely, Kysely as KyselyDatabase, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'

/**
 * Every table of the database. Each folder adds the tables it owns by declaration merging in its
 * `<folder>.tables.ts`, so that the type of a row stands beside the code that reads it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging.
export interface Tables {}

/** A pool of connections. What only reads takes a `Db`. */
export type Db = Kysely<Tables>

/** An open transaction. What moves money or state takes a `Tx`, so that it cannot be called outside one. */
export type Tx = Transaction<Tables>

/** An `int8` as a number; amounts beyond 2^53 - 1 would be a bug, never a rounding. */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 out of the safe range: ${text}`)
  return value
}
pg.types.setTypeParser(pg.types.builtins.INT8, safeInteger)

/** Names beyond this many per process are not kept, so that generated SQL cannot fill the server's memory. */
const preparedStatementsMax = 300
const preparedNames = new Map<string, string>()

function preparedName(text: string): string | undefined {
  const known = preparedNames.get(text)
  if (known !== undefined || preparedNames.size >= preparedStatementsMax) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
  preparedNames.set(text, name)
  return name
}

/**
 * A client that prepares each distinct statement once per connection: planning the set-based
 * statements of the door costs more than running them. Statements without parameters go out as
 * simple queries, which is what lets a migration hold several.
 */
class PreparingClient extends pg.Client {
  // The overloads of pg's `query` cannot be restated faithfully; Kysely calls it with text and values only.
  // oxlint-disable-next-line typescript/no-explicit-any
  override query(config: any, values?: any, callback?: any): any {
    if (typeof config !== 'string' || !Array.isArray(values)) return super.query(config, values, callback)
    if (values.length === 0) return super.query(config, callback)
    return super.query({ name: preparedName(config), text: config, values } as pg.QueryConfig, callback)
  }
}

export type DatabaseOptions = {
  /** A PostgreSQL connection string. */
  url: string
  /** Connections at most. */
  poolSize: number
  /** Shown in pg_stat_activity. */
  applicationName: string
  /** Session settings such as `{ lock_timeout: '1s' }`, sent with the connection's start. */
  session?: Record<string, string>
  /** The role to work as when the login is not the application role itself. */
  role?: string
  /** How long an answer to one statement is waited for; without it a connection that went dead in silence is waited for until TCP gives up. */
  queryTimeoutMilliseconds?: number
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  onConnectionError?: (error: Error) => void
}

/** How long a caller waits for a free connection before it is told that the database is away. */
const connectTimeoutMilliseconds = 5_000

function escapeOption(value: string): string {
  return value.replaceAll(/[\\ ]/g, '\\$&')
}

/** pg lets the address' own `options` replace ours, and with them our role; so they are taken out and put before ours. */
function splitOptions(address: string): { url: string; options: string } {
  const given = /[?&]options=([^&]*)/.exec(address)
  if (!given) return { url: address, options: '' }
  const url = address.replace(given[0], '').replace(/\/([^/?&]*)&/, '/$1?')
  return { url, options: decodeURIComponent(given[1]?.replaceAll('+', ' ') ?? '') }
}

/** Opens a pool. Durability of commits never depends on a server's or a role's default: it is asked for here. */
export function connectDatabase(options: DatabaseOptions): Db {
  const session = { synchronous_commit: 'on', ...(options.role ? { role: options.role } : {}), ...options.session }
  const address = splitOptions(options.url)
  const pool = new pg.Pool({
    connectionString: address.url,
    max: options.poolSize,
    Client: PreparingClient,
    application_name: options.applicationName,
    connectionTimeoutMillis: connectTimeoutMilliseconds,
    keepAlive: true,
    ...(options.queryTimeoutMilliseconds === undefined ? {} : { query_timeout: options.queryTimeoutMilliseconds }),
    options: [address.options, ...Object.entries(session).map(([name, value]) => `-c ${name}=${escapeOption(value)}`)]
      .join(' ')
      .trim(),
  })
  const onError = (error: Error) => options.onConnectionError?.(error)
  pool.on('error', onError)
  // A connection can also break in a transaction between two statements; unheard, that would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  return new KyselyDatabase<Tables>({ dialect: new PostgresDialect({ pool }) })
}
