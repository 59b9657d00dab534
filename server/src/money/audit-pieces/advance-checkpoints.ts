import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { WalletSpan } from './wallet-spans.ts'

/**
 * Stores up to which entry an audit found wallets correct, so that the next audit need not add up the ledger from the first
 * day. A checkpoint never goes back.
 */
export async function advanceCheckpoints(db: Db, proven: readonly WalletSpan[]): Promise<void> {
  const moved = proven.filter(({ start_no, end_no, end_balance }) => end_no > start_no && end_balance !== null)
  if (moved.length === 0) return
  await sql`
    insert into wallet_checkpoints ${rowsOf(moved, {
      account_id: ['uuid', (span) => span.account_id],
      purse: ['text', (span) => span.purse],
      entry_no: ['bigint', (span) => span.end_no],
      balance: ['bigint', (span) => span.end_balance],
    }).forInsert()}
    on conflict (account_id, purse) do update
    set entry_no = excluded.entry_no, balance = excluded.balance, proven_at = now()
    where wallet_checkpoints.entry_no < excluded.entry_no`.execute(db)
}
