import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** The key of an advisory lock, as PostgreSQL's lock functions take it: one bigint, or two integers. */
export type LockKey = RawBuilder<unknown>

export function lockNamed(name: string): LockKey {
  return sql`hashtextextended(${name}, 0)`
}

/** If a session needs longer than this to release its lock, we assume that it has stopped answering. */
const unlockMilliseconds = 1_000

/**
 * Does the work while this process holds an advisory lock of its session. If another process holds it, nothing is done.
 * A process that dies loses its connection and with it the lock.
 * @param work gets the connection that holds the lock: as long as it answers, the lock is ours
 */
export async function runAlone(db: Db, key: LockKey, work: (connection: Db) => Promise<void>): Promise<void> {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ is_ours: boolean; pid: number }>`
      select pg_try_advisory_lock(${key}) as is_ours, pg_backend_pid() as pid`.execute(connection)
    const [lock] = rows
    if (!lock?.is_ours) return
    try {
      await work(connection)
    } finally {
      const unlock = sql`select pg_advisory_unlock(${key})`.execute(connection)
      const late = sleep(unlockMilliseconds, false, { ref: false })
      const isUnlocked = await Promise.race([unlock.then(() => true), late]).catch(() => false)
      unlock.catch(() => undefined)
      // A session that does not answer is ended; otherwise it could wake up in the pool and still hold the lock.
      if (!isUnlocked) await sql`select pg_terminate_backend(${lock.pid}::integer)`.execute(db).catch(() => undefined)
    }
  })
}

/**
 * Makes a lock that all running work of this process shares: the first work takes it, the last one releases it.
 * @returns a function that gives false, without doing the work, while another process holds the lock
 */
export function openSharedLock(db: Db, key: LockKey): (work: () => Promise<void>) => Promise<boolean> {
  type Held = { readonly isOurs: Promise<boolean>; readonly release: () => void; users: number }
  let held: Held | undefined

  function take(): Held {
    const { promise: isOurs, resolve, reject } = Promise.withResolvers<boolean>()
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const work = () => {
      resolve(true)
      return isReleased
    }
    runAlone(db, key, work).then(() => resolve(false), reject)
    return { isOurs, release, users: 0 }
  }

  return async (work) => {
    const ours = (held ??= take())
    ours.users += 1
    try {
      const isOurs = await ours.isOurs
      if (isOurs) await work()
      return isOurs
    } finally {
      ours.users -= 1
      if (ours.users === 0) {
        held = undefined
        ours.release()
      }
    }
  }
}
