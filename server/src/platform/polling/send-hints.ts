import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../database/database.ts'

export const hintChannel = 'makola_due'

/** After a hint a process sends none for this long, however much is sold. */
const pauseMilliseconds = 250

/**
 * Opens a function that tells resting workers at once that an order is due, and how long sales take: the mean time of the
 * batches since the last hint, in milliseconds. A hint is sent after the commit and outside its transaction, because a
 * transaction that notifies would make all others wait for its own commit. A lost hint costs a second: workers look by
 * themselves.
 */
export function openHints(db: Db): (batchMilliseconds?: number) => void {
  let times: number[] = []
  let isSending = false
  let isWanted = false

  async function send(): Promise<void> {
    isSending = true
    while (isWanted) {
      isWanted = false
      const mean = times.length === 0 ? '' : (times.reduce((sum, time) => sum + time, 0) / times.length).toFixed(3)
      times = []
      await sql`select pg_notify(${hintChannel}, ${mean})`.execute(db).catch(() => undefined)
      await sleep(pauseMilliseconds, undefined, { ref: false })
    }
    isSending = false
  }

  return (batchMilliseconds) => {
    if (batchMilliseconds !== undefined) times.push(batchMilliseconds)
    isWanted = true
    if (!isSending) void send()
  }
}
