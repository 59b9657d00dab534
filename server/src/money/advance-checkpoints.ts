import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import type { AccountPurse } from './money.tables.ts'

/** A wallet as it was in an audit's snapshot. */
export type ProvenWallet = {
  readonly account_id: string
  readonly purse: AccountPurse
  readonly last_entry_no: number
  readonly balance: number
}

/** The wallets that have moved since their checkpoint, as this snapshot shows them. */
export async function listMovedWallets(tx: Tx): Promise<ProvenWallet[]> {
  const { rows } = await sql<ProvenWallet>`
    select account_id, purse, last_entry_no, wallets.balance
    from wallets left join wallet_checkpoints using (account_id, purse)
    where last_entry_no > coalesce(entry_no, 0)
    order by account_id, purse`.execute(tx)
  return rows
}

/**
 * Stores wallets that an audit found correct, so that the next audit need not add up the ledger from the first day.
 * Runs outside the audit's snapshot, which only reads. A checkpoint never goes back.
 */
export async function advanceCheckpoints(db: Db, proven: readonly ProvenWallet[]): Promise<void> {
  await sql`
    insert into wallet_checkpoints ${rowsOf(proven, {
      account_id: ['uuid', (wallet) => wallet.account_id],
      purse: ['text', (wallet) => wallet.purse],
      entry_no: ['bigint', (wallet) => wallet.last_entry_no],
      balance: ['bigint', (wallet) => wallet.balance],
    }).forInsert()}
    on conflict (account_id, purse) do update
    set entry_no = excluded.entry_no, balance = excluded.balance, proven_at = now()
    where wallet_checkpoints.entry_no < excluded.entry_no`.execute(db)
}
