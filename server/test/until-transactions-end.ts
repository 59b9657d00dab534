import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../src/platform/database/database.ts'
import { patienceSeconds } from './patience.ts'

/** Waits until all transactions that are writing now have ended, even those of other tests on the same server. */
export async function untilTransactionsEnd(db: Db): Promise<void> {
  const begun = await sql<{ next: number }>`select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next`.execute(db)
  const next = begun.rows[0]?.next ?? 0
  for (const endsAt = performance.now() + patienceSeconds * 1_000; performance.now() < endsAt; await sleep(20)) {
    const { rows } = await sql<{ has_ended: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= ${next} as has_ended`.execute(db)
    if (rows[0]?.has_ended === true) return
  }
  throw new Error(`a transaction below ${next} stays open`)
}
