import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { type Forgetting, rowsPerStep } from '../../platform/forgetting/forget-old-data.ts'

const keptDays = 30

async function removeOld(tx: Tx, table: RawBuilder<unknown>): Promise<{ count: number; isMore: boolean }> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${table} where ctid = any (array(
      select ctid from ${table} where created_at < clock_timestamp() - make_interval(days => ${keptDays}) limit ${rowsPerStep}))`.execute(
    tx,
  )
  return { count: Number(numAffectedRows), isMore: numAffectedRows === BigInt(rowsPerStep) }
}

/** Removes events and deliveries after 30 days, those of paused endpoints too. */
export const forgettingsOfWebhooks: readonly Forgetting[] = [
  { name: 'webhook deliveries', step: (tx) => removeOld(tx, sql`webhook_deliveries`) },
  { name: 'webhook events', step: (tx) => removeOld(tx, sql`webhook_events`) },
]
