import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

export type SmsCredits = {
  readonly credits: number
  readonly totalPurchased: number
  /**
   * Credits charged less credits refunded, so that the balance is the purchased credits less the used ones (decision M6c: what
   * the credit figures count).
   */
  readonly totalUsed: number
  readonly isSuspended: boolean
}

/** Reads an account's credits and their sums, in one snapshot. */
export async function readSmsBalance(db: Db, accountId: string): Promise<SmsCredits> {
  const { rows } = await sql<{ credits: number; purchased: number; status: string }>`
    select wallets.balance as credits, accounts.status,
      coalesce((select sum(amount)::bigint from transfers
        where account_id = wallets.account_id and to_purse = 'sms_credits' and to_entry_no is not null and kind not in ('refund', 'sms_refund')), 0) as purchased
    from wallets join accounts on accounts.id = wallets.account_id
    where wallets.account_id = ${accountId} and wallets.purse = 'sms_credits'`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`account ${accountId} has no wallet of SMS credits`)
  return {
    credits: row.credits,
    totalPurchased: row.purchased,
    totalUsed: row.purchased - row.credits,
    isSuspended: row.status !== 'active',
  }
}
