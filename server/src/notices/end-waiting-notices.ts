import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'

/**
 * Ends all messages to customers and resellers that wait to be sent, because history went back and they may have been sent
 * already.
 * @returns how many
 */
export async function endWaitingNotices(tx: Tx): Promise<number> {
  const { rows } = await sql<{ ended: number }>`
    with courtesy as (
      update courtesy_notices
      set state = 'unknown', reason = 'history went back: it may have been sent', ended_at = clock_timestamp()
      where state = 'queued' returning 1
    ), reseller as (
      update reseller_notices
      set state = 'failed', reason = 'history went back: it may have been sent', ended_at = clock_timestamp()
      where state = 'queued' returning 1
    )
    select (select count(*) from courtesy)::integer + (select count(*) from reseller)::integer as ended`.execute(tx)
  return rows[0]?.ended ?? 0
}
