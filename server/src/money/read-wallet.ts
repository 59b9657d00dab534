import type { Db } from '../platform/database/database.ts'
import type { AccountPurse } from './money.tables.ts'
import { pesewas } from './pesewas.ts'
import type { WalletBook, WalletKey } from './wallets.ts'

/** Reads a wallet without a lock, so it may have changed since. @throws when the account has no such wallet */
export async function readWallet(db: Db, key: WalletKey): Promise<WalletBook> {
  const row = await db
    .selectFrom('wallets')
    .select(['balance', 'last_entry_no'])
    .where('account_id', '=', key.accountId)
    .where('purse', '=', key.purse)
    .executeTakeFirstOrThrow()
  return { balance: row.balance, lastEntryNo: row.last_entry_no }
}

export async function readPurseBalances(db: Db, accountId: string) {
  const holds = async (purse: AccountPurse) => (await readWallet(db, { accountId, purse })).balance
  const [main, commission, smsCredits] = await Promise.all([holds('main'), holds('commission'), holds('sms_credits')])
  return { main: pesewas(main), commission: pesewas(commission), smsCredits }
}
