import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** The key of an advisory lock, as PostgreSQL's lock functions take it: one bigint, or two integers. */
export type LockKey = RawBuilder<unknown>

/** The key that stands for a name. */
export function lockNamed(name: string): LockKey {
  return sql`hashtextextended(${name}, 0)`
}

/** A session that needs longer than this to release its lock has stopped answering. */
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
