import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../src/platform/database/database.ts'

/** Waits until a moment has passed by the database's clock. Roles, windows and deadlines follow that clock. */
export async function untilPast(db: Db, moment: Date): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ milliseconds: number }>`
      select extract(epoch from ${moment}::timestamptz - clock_timestamp())::float8 * 1000 as milliseconds`.execute(db)
    const left = rows[0]?.milliseconds ?? 0
    if (left < 0) return
    await sleep(left + 1)
  }
}
