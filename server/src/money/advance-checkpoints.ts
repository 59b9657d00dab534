import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'

/**
 * Remembers every wallet as it stands, so that the running audit need not add up a ledger from its
 * first day. Takes the transaction of an audit without findings, and so the snapshot that it proved.
 */
export async function advanceCheckpoints(tx: Tx): Promise<void> {
  await sql`
    insert into wallet_checkpoints (account_id, purse, entry_no, balance)
    select account_id, purse, last_entry_no, balance from wallets where last_entry_no > 0
    on conflict (account_id, purse) do update
    set entry_no = excluded.entry_no, balance = excluded.balance, proven_at = now()
    where wallet_checkpoints.entry_no < excluded.entry_no`.execute(tx)
}
