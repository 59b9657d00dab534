import { sql } from 'kysely'
import type { Db, TableRow, Tx } from '../platform/database/database.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import type { Amount } from './amount.ts'
import type { AccountPurse, PlatformPurse } from './money.tables.ts'
import { pesewas } from './pesewas.ts'

export type WalletKey = { readonly accountId: string; readonly purse: AccountPurse }

/** The state of a wallet when it was read. It is never changed in place. */
export type WalletState = { readonly balance: number; readonly lastEntryNo: number }

export type WalletStates = Map<string, WalletState>

/** A key for maps: one text per wallet. */
export function walletId(key: WalletKey): string {
  return `${key.accountId}/${key.purse}`
}

export function walletKeyOf(id: string): WalletKey {
  const [accountId = '', purse] = id.split('/')
  return { accountId, purse: purse as AccountPurse }
}

/**
 * Locks the wallets in the one order that all code follows (account id, then purse) and reads them. Every transaction of this
 * system locks wallets before references and stock.
 */
export async function lockWallets(tx: Tx, keys: readonly WalletKey[]): Promise<WalletStates> {
  const { rows } = await sql<TableRow<'wallets', 'account_id' | 'purse' | 'balance' | 'last_entry_no'>>`
    select account_id, purse, balance, last_entry_no
    from wallets
    where ${rowsOf(keys, {
      account_id: ['uuid', (key) => key.accountId],
      purse: ['text', (key) => key.purse],
    }).matching('wallets')}
    order by account_id, purse
    for update`.execute(tx)
  return new Map(
    rows.map((row) => [
      walletId({ accountId: row.account_id, purse: row.purse }),
      { balance: row.balance, lastEntryNo: row.last_entry_no },
    ]),
  )
}

/** Makes the wallets of a new account. They are never removed. */
export async function createWallets(tx: Tx, accountId: string): Promise<void> {
  await tx
    .insertInto('wallets')
    .values((['main', 'commission', 'sms_credits'] as const).map((purse) => ({ account_id: accountId, purse })))
    .execute()
}

export function payingPurse(unit: Amount['unit']): AccountPurse {
  return unit === 'credits' ? 'sms_credits' : 'main'
}

/**
 * The platform's purse that receives the money of a purchase from this purse. A purse holds either credits or pesewas,
 * never both.
 */
export function salesPurse(paying: AccountPurse): PlatformPurse {
  return paying === 'sms_credits' ? 'sms_sales' : 'sales'
}

/** Reads a wallet without a lock, so it may have changed since. @throws when the account has no such wallet */
export async function readWallet(db: Db, key: WalletKey): Promise<WalletState> {
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
