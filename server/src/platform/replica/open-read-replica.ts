import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { connectDatabase, connectPool, type DatabaseOptions, type Db, databaseOver } from '../database/database.ts'
import { classifyDatabaseError } from '../database/database-errors.ts'
import type { Epoch } from '../database/epoch.ts'
import type { Metrics } from '../metrics/open-metrics.ts'
import { replicaDelaySeconds } from '../platform.settings.ts'
import type { Settings } from '../settings/settings.ts'

/** A piece of work that reads, such as the request for a list. */
export type Reading = {
  /** True: nothing is read from the replica. */
  isOnPrimary: boolean
  /** True once the replica was asked. */
  isOnReplica?: boolean
  /** The age of what was read, at most, in whole seconds; 0 for the primary. Undefined: nothing was read yet. */
  ageSeconds?: number
}

export type ReadReplica = {
  /** For reads whose data may be some seconds old. Outside of `ask` it reads from the primary. */
  readonly readDb: Db
  /**
   * Does work that reads from `readDb`: on the replica if that is not too far behind, otherwise on the primary. When the replica
   * breaks the work off, it is done once more on the primary.
   */
  ask<T>(work: () => Promise<T>, reading?: Reading): Promise<T>
  /** Waits until the replica has all that is committed now. Does not wait for a replica that is not in use. */
  untilCaughtUp(): Promise<void>
  /** The most that the replica may be behind. Undefined: no replica is named, and `readDb` is the database itself. */
  readonly readMostSeconds: (() => Promise<number>) | undefined
  stop(): Promise<void>
}

export const noReplica = (db: Db): ReadReplica => ({
  readDb: db,
  ask: (work) => work(),
  untilCaughtUp: () => Promise.resolve(),
  readMostSeconds: undefined,
  stop: () => Promise.resolve(),
})

type ReplicaOptions = {
  /** How the standbys are reached. */
  readonly standby: Pick<DatabaseOptions, 'url' | 'role' | 'applicationName' | 'queryTimeoutMilliseconds'>
  readonly db: Db
  /** The pool of `db`. */
  readonly primary: PostgresPool
  readonly epoch: Pick<Epoch, 'databaseNow'>
  readonly settings: Settings
  readonly log: Logger
  readonly metrics?: Metrics | undefined
}

const poolSize = 4

/** Each process moves the mark of history once a second, so looking more often would show hardly anything new. */
const lookMilliseconds = 1_000
const caughtUpMilliseconds = 250

/** A replica that does not answer within this time is no longer used, and all statements that run on it are broken off. */
const patience = { connectTimeoutMilliseconds: 3_000, queryTimeoutMilliseconds: 3_000 }

const readMark = (db: Db) => db.selectFrom('history_mark').select(['database_id', 'moved_at']).executeTakeFirstOrThrow()

/**
 * Watches how old the data of the replica is. The mark of history, which each process moves once a second, arrives there like all
 * other data, also while nobody buys.
 */
async function watchReplica({ standby, db, epoch, log }: ReplicaOptions, onAway: () => void) {
  const { database_id: databaseId } = await readMark(db)
  const lookDb = connectDatabase({ ...standby, ...patience, poolSize: 1, isStandby: true })
  let movedAt: Date | undefined
  let isAway = false
  let isStopped = false
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function away(error: unknown): void {
    movedAt = undefined
    if (!isAway && !isStopped) log.warn({ err: error }, 'the read replica cannot be used: all is read from the database itself')
    isAway = true
    onAway()
  }

  async function lookNow(): Promise<void> {
    const mark = await readMark(lookDb)
    if (mark.database_id !== databaseId) throw new Error('The read replica belongs to another database.')
    if (isAway) log.info('the read replica is used again')
    isAway = false
    movedAt = mark.moved_at
  }

  /** Runs one look at a time. */
  function look(): Promise<void> {
    looking ??= lookNow()
      .catch(away)
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  async function lookOn(): Promise<void> {
    await look()
    if (!isStopped) timer = setTimeout(() => void lookOn(), lookMilliseconds).unref()
  }
  await lookOn()

  return {
    away,
    look,
    movedAt: () => movedAt,
    /** Undefined while the replica cannot be used. */
    ageSeconds: () => movedAt && Math.max(0, (epoch.databaseNow().getTime() - movedAt.getTime()) / 1_000),
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await looking
      await lookDb.destroy()
    },
  }
}

/** True when the same work may succeed on the primary: the standby went away, or cancelled the work to keep up. */
function isFaultOfReplica(error: unknown): boolean {
  const kind = classifyDatabaseError(error)
  // A statement that takes so long would take as long on the primary.
  if (error instanceof Error && error.message === 'Query read timeout') return false
  return kind === 'connection_lost' || kind === 'serialization'
}

type Client = PostgresPoolClient & pg.PoolClient

/** Keeps the connections that are in use, to break off all of them when the replica does not answer. */
function openStandbyPool({ standby }: ReplicaOptions) {
  const pool = connectPool({
    ...standby,
    poolSize,
    isStandby: true,
    connectTimeoutMilliseconds: patience.connectTimeoutMilliseconds,
  })
  const inUse = new Set<Client>()
  return {
    async connect() {
      const client = (await pool.connect()) as Client
      const release = client.release.bind(client)
      client.release = (isUnfit) => {
        inUse.delete(client)
        release(isUnfit)
      }
      inUse.add(client)
      return client
    },
    breakOff: () => {
      for (const client of inUse) client.end().catch(() => undefined)
    },
    end: () => pool.end(),
  }
}

/** @returns a function that counts a connection by its server */
function measureReads(metrics: Metrics | undefined, readAge: () => number | undefined): (server: 'replica' | 'primary') => void {
  const reads = metrics?.counter('makola_reads_total', 'Connections for reading, by the server that they lead to.', ['server'])
  const age = metrics?.gauge(
    'makola_read_replica_age_seconds',
    'Age of what the read replica knows; NaN: it does not answer.',
    [],
  )
  metrics?.beforeReading(async () => age?.set(readAge() ?? Number.NaN))
  return (server) => reads?.inc({ server })
}

/** Opens the replica of a process. The process starts and serves also while the replica is away. */
export async function openReadReplica(options: ReplicaOptions): Promise<ReadReplica> {
  const { primary, settings, log, metrics } = options
  const asking = new AsyncLocalStorage<Reading>()
  const pool = openStandbyPool(options)
  const watch = await watchReplica(options, () => pool.breakOff())
  const readMostSeconds = async () => settings.peek(replicaDelaySeconds) ?? (await settings.read(replicaDelaySeconds))
  const countRead = measureReads(metrics, () => watch.ageSeconds())
  const isUsable = async () => (watch.ageSeconds() ?? Number.POSITIVE_INFINITY) <= (await readMostSeconds())

  async function connectToReplica(reading: Reading): Promise<PostgresPoolClient | undefined> {
    if (!(await isUsable())) return undefined
    try {
      const client = await pool.connect()
      reading.isOnReplica = true
      reading.ageSeconds = Math.max(reading.ageSeconds ?? 0, Math.round(watch.ageSeconds() ?? 0))
      return client
    } catch (error) {
      watch.away(error)
      return undefined
    }
  }

  async function connect(): Promise<PostgresPoolClient> {
    const reading = asking.getStore()
    if (!reading) return primary.connect()
    const client = reading.isOnPrimary ? undefined : await connectToReplica(reading)
    countRead(client ? 'replica' : 'primary')
    reading.ageSeconds ??= 0
    return client ?? primary.connect()
  }

  return {
    readDb: databaseOver({ ...primary, connect, end: () => pool.end() }),
    async ask(work, reading = { isOnPrimary: false }) {
      try {
        return await asking.run(reading, work)
      } catch (error) {
        if (!reading.isOnReplica || !isFaultOfReplica(error)) throw error
        log.warn({ err: error }, 'the read replica broke off what it was asked, so the database itself is asked')
        Object.assign(reading, { isOnPrimary: true, isOnReplica: false, ageSeconds: 0 })
        return asking.run(reading, work)
      }
    },
    async untilCaughtUp() {
      const now = options.epoch.databaseNow()
      while ((await isUsable()) && (watch.movedAt() ?? now) < now) {
        await delay(caughtUpMilliseconds, undefined, { ref: false })
        await watch.look()
      }
    },
    readMostSeconds,
    async stop() {
      await watch.stop()
      await pool.end()
    },
  }
}
