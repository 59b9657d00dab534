import { sql } from 'kysely'
import { alignToSharedTick } from '../polling/poll-pace.ts'
import type { Db } from './database.ts'

const pollMillisecondsDefault = 250

/** A cache is not trusted when the last good read of the epoch began longer ago than this. */
const trustMilliseconds = 1_000

/**
 * `current` is undefined when the last good read is too old: then no cache may be used. `epoch` in it is a number of this
 * process alone. It grows when the row in the database changes, and when another server answers: a promoted standby may
 * lack the last changes and use their numbers again.
 */
export type Epoch = {
  current(): { epoch: number; catalogueVersion: number } | undefined
  /**
   * The database's time: the last time that it returned, plus the monotonic time since then. A wrong clock of this machine
   * makes no difference.
   */
  databaseNow(): Date
  /** Reads the epoch at once. Call it in a process that has just changed something itself. */
  refresh(): Promise<void>
  /** Calls `listener` after each good read, several times a second. Returns a function that stops the calls. */
  onRead(listener: () => void): () => void
  stop(): void
}

/**
 * Starts polling the one row of `cache_epoch`. The first read is awaited.
 * @param pollMilliseconds at most half a second, so that caches stay trusted after one slow read
 */
export async function watchEpoch(db: Db, pollMilliseconds = pollMillisecondsDefault): Promise<Epoch> {
  let last = { epoch: 0, catalogueVersion: 0 }
  let source = ''
  let readAt = Number.NEGATIVE_INFINITY
  let databaseOffset = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const listeners = new Set<() => void>()

  async function refresh(): Promise<void> {
    const startedAt = performance.now()
    const { rows } = await sql<{ epoch: number; catalogue_version: number; now: Date; server_started_at: string }>`
      select epoch, catalogue_version, clock_timestamp() as now, pg_postmaster_start_time()::text as server_started_at
      from cache_epoch`.execute(db)
    const row = rows[0]
    if (!row) throw new Error('the table cache_epoch has lost its row')
    if (startedAt < readAt) return
    const readSource = `${row.server_started_at} ${row.epoch}`
    last = { epoch: readSource === source ? last.epoch : last.epoch + 1, catalogueVersion: row.catalogue_version }
    source = readSource
    readAt = startedAt
    databaseOffset = row.now.getTime() - (startedAt + performance.now()) / 2
    for (const listener of listeners) listener()
  }

  async function poll(): Promise<void> {
    // A failed read is no error here: caches are not used until a read succeeds.
    await refresh().catch(() => undefined)
    if (!isStopped) timer = setTimeout(() => void poll(), alignToSharedTick(pollMilliseconds)).unref()
  }

  await refresh()
  timer = setTimeout(() => void poll(), alignToSharedTick(pollMilliseconds)).unref()

  return {
    current: () => (performance.now() - readAt <= trustMilliseconds ? last : undefined),
    databaseNow: () => new Date(performance.now() + databaseOffset),
    refresh,
    onRead: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Raises the epoch inside the transaction that changed something cached: a key, an account, a setting. */
export async function raiseEpoch(db: Db): Promise<void> {
  await sql`update cache_epoch set epoch = epoch + 1`.execute(db)
}

/**
 * Raises the epoch and the catalogue's version, inside the transaction that changed prices, packages, stock, routes,
 * suppliers or commission.
 */
export async function raiseCatalogueVersion(db: Db): Promise<void> {
  await sql`update cache_epoch set epoch = epoch + 1, catalogue_version = catalogue_version + 1`.execute(db)
}

/**
 * While caches may not be used, requests for one key share a running load. A load that began less than a second ago is no
 * older than a trusted cache may be, and a slow database must not get the same statement for every request.
 */
export function shareRecentLoads<V>(load: (key: string) => Promise<V>): (key: string) => Promise<V> {
  const underWay = new Map<string, { readonly value: Promise<V>; readonly startedAt: number }>()
  return (key) => {
    const running = underWay.get(key)
    if (running && performance.now() - running.startedAt < trustMilliseconds) return running.value
    const value = load(key).finally(() => {
      if (underWay.get(key)?.value === value) underWay.delete(key)
    })
    underWay.set(key, { value, startedAt: performance.now() })
    return value
  }
}

/** A cache with this many entries drops all of them, so that invented keys cannot fill the memory. */
const cachedEntriesMax = 50_000

/**
 * Keeps the result of `load` for a key until the epoch changes. A value whose load began under an older epoch is returned to
 * those who wait for it, and not kept. Without a trusted epoch nothing is kept: a call loads again, or shares a load that began
 * less than a second ago.
 */
export function cachedByEpoch<V>(epoch: Pick<Epoch, 'current'>, load: (key: string) => Promise<V>): (key: string) => Promise<V> {
  const entries = new Map<string, Promise<V>>()
  let entriesEpoch = -1
  const loadUntrusted = shareRecentLoads(load)
  return (key) => {
    const current = epoch.current()
    if (!current) return loadUntrusted(key)
    if (current.epoch !== entriesEpoch || entries.size >= cachedEntriesMax) {
      entries.clear()
      entriesEpoch = current.epoch
    }
    const known = entries.get(key)
    if (known) return known
    const loading = load(key)
    entries.set(key, loading)
    loading.catch(() => {
      if (entries.get(key) === loading) entries.delete(key)
    })
    return loading
  }
}
