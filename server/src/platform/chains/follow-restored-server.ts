import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Chain } from './chain.ts'

/**
 * `isBehind`: new rows would not come after the sealed ones, as when a dump was restored into another server, whose transaction
 * ids are lower.
 */
async function isBehindItsChains(db: Db): Promise<{ isBehind: boolean; era: number }> {
  const { rows } = await sql<{ isBehind: boolean; era: number }>`
    select era, (era::bigint << 48) + pg_snapshot_xmax(pg_current_snapshot())::text::bigint <= coalesce((
      select max(through_position) from chain_states cross join lateral (
        select through_position from chain_blocks where chain_blocks.chain = chain_states.chain order by block_no desc limit 1
      ) as block), 0) as "isBehind"
    from chain_era`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the table chain_era has lost its row')
  return row
}

/**
 * Begins a new era if the database was restored into another server, so that new rows come after all sealed ones. Needs a
 * connection as the tables' owner, while nothing else uses the database.
 * @returns true when a new era was needed
 */
export async function followRestoredServer(db: Db, chains: readonly Chain[]): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { isBehind, era } = await isBehindItsChains(tx)
    if (!isBehind) return false
    await sql`update chain_era set era = ${era + 1}`.execute(tx)
    for (const { table } of chains) {
      await sql`alter table ${table} alter column era set default ${sql.lit(era + 1)}`.execute(tx)
    }
    return true
  })
}

/**
 * Refuses to start when new rows would come among sealed ones.
 * @throws when the database was restored into another server and `makola migrate` has not been run there
 */
export async function checkEra(db: Db): Promise<void> {
  const { isBehind } = await isBehindItsChains(db)
  if (isBehind) throw new Error('The database was restored into another server. Run `makola migrate` first.')
}
