import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../src/platform/database/database.ts'

/** How long it is until a moment by the database's clock, in milliseconds; negative when it has passed. */
async function millisecondsUntil(db: Db, moment: Date): Promise<number> {
  const { rows } = await sql<{ milliseconds: number }>`
    select extract(epoch from ${moment}::timestamptz - clock_timestamp())::float8 * 1000 as milliseconds`.execute(db)
  return rows[0]?.milliseconds ?? 0
}

/** Whether a moment has passed by the database's clock. */
export async function isPast(db: Db, moment: Date): Promise<boolean> {
  return (await millisecondsUntil(db, moment)) < 0
}

/** Waits until a moment has passed by the database's clock. Roles, windows and deadlines follow that clock. */
export async function untilPast(db: Db, moment: Date): Promise<void> {
  for (;;) {
    const left = await millisecondsUntil(db, moment)
    if (left < 0) return
    await sleep(left + 1)
  }
}
