import type { Tx } from '../platform/database/database.ts'

/** Opens an account's three wallets, all empty. They are born with their account and never removed. */
export async function createWallets(tx: Tx, accountId: string): Promise<void> {
  await tx
    .insertInto('wallets')
    .values((['main', 'commission', 'sms_credits'] as const).map((purse) => ({ account_id: accountId, purse })))
    .execute()
}
