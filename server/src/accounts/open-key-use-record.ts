import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../platform/database/database.ts'
import type { Epoch } from '../platform/database/epoch.ts'
import { rowsOf } from '../platform/database/rows-of.ts'

/** Records the time and the address of each key's last use. */
export type KeyUseRecord = {
  /** Records a use in memory. It is written to the database later, together with others. */
  record(keyId: string, ipAddress: string): void
  flush(): Promise<void>
  /** Writes the uses in memory and stops. */
  close(): Promise<void>
}

/** A key's use is written at most once in this time, because the owner only needs to see whether the key is in use. */
const stampEveryMilliseconds = 60_000

const flushEveryMilliseconds = 1_000

type Use = { readonly usedAt: Date; readonly ipAddress: string | null }

/**
 * Writes the last use of all keys that are due in one statement. Processes that use the same key skip each other's
 * locked rows: either stamp is good enough, and nobody waits.
 */
async function stampKeys(db: Db, uses: ReadonlyMap<string, Use>): Promise<void> {
  await sql`
    with used as (
      select * from ${rowsOf([...uses], {
        key_id: ['uuid', ([keyId]) => keyId],
        used_at: ['timestamptz', ([, use]) => use.usedAt],
        ip_address: ['inet', ([, use]) => use.ipAddress],
      }).as('used')}
    ), due as (
      select api_keys.id, used.used_at, used.ip_address
      from api_keys join used on used.key_id = api_keys.id
      where api_keys.last_used_at is null or api_keys.last_used_at <= used.used_at - interval '1 minute'
      order by api_keys.id
      for no key update of api_keys skip locked
    )
    update api_keys set last_used_at = due.used_at, last_used_ip = due.ip_address
    from due where api_keys.id = due.id`.execute(db)
}

/** Opens the record of one process. However many processes run, a key is stamped at most once a minute. */
export function openKeyUseRecord(deps: { db: Db; epoch: Epoch; log: Pick<Logger, 'warn'> }): KeyUseRecord {
  /** For each key, the monotonic time in milliseconds at which this process last noted it. */
  const recordedAt = new Map<string, number>()
  let waiting = new Map<string, Use>()
  let writing: Promise<void> = Promise.resolve()

  function record(keyId: string, ipAddress: string): void {
    const now = performance.now()
    const last = recordedAt.get(keyId)
    if (last !== undefined && now - last < stampEveryMilliseconds) return
    recordedAt.set(keyId, now)
    waiting.set(keyId, { usedAt: deps.epoch.databaseNow(), ipAddress: isIP(ipAddress) === 0 ? null : ipAddress })
  }

  async function writeWaiting(): Promise<void> {
    const uses = waiting
    waiting = new Map()
    if (uses.size === 0) return
    await stampKeys(deps.db, uses).catch((error: unknown) => {
      // Losing a stamp does no harm: the key's next use after a minute is stamped again.
      deps.log.warn({ err: error }, 'the last use of keys could not be noted')
    })
  }

  function flush(): Promise<void> {
    writing = writing.then(writeWaiting)
    return writing
  }

  function forgetOld(): void {
    const horizon = performance.now() - stampEveryMilliseconds
    for (const [keyId, at] of recordedAt) if (at < horizon) recordedAt.delete(keyId)
  }

  const flushing = setInterval(() => void flush(), flushEveryMilliseconds).unref()
  const forgetting = setInterval(forgetOld, stampEveryMilliseconds).unref()
  return {
    record: record,
    flush,
    close: () => {
      clearInterval(flushing)
      clearInterval(forgetting)
      return flush()
    },
  }
}
