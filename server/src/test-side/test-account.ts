import { sql } from 'kysely'
import type { KeyType } from '../accounts/caller.ts'
import { createAccount } from '../accounts/create-account.ts'
import { type CreatedKey, createKey } from '../accounts/create-key.ts'
import { findAccount, readAccount } from '../accounts/find-account.ts'
import { readKey } from '../accounts/list-keys.ts'
import { revokeKey } from '../accounts/revoke-key.ts'
import { setAccountRole } from '../accounts/set-account-role.ts'
import { creditWallet } from '../money/credit-wallet.ts'
import { lockWallets, walletId } from '../money/wallets.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'

/** A purse of the test side is filled up to this: GHS 1,000, and 1,000 SMS credits. */
const fullPurses = { main: 100_000, sms_credits: 1_000 } as const

const actor = 'test side'

/** Fills the test purses of an account up. A purse that has more keeps it. */
async function fillPurses(tx: Tx, accountId: string): Promise<void> {
  const purses = ['main', 'sms_credits'] as const
  const wallets = await lockWallets(
    tx,
    purses.map((purse) => ({ accountId, purse })),
  )
  for (const purse of purses) {
    const balance = wallets.get(walletId({ accountId, purse }))?.balance ?? 0
    const amount = fullPurses[purse] - balance
    if (amount > 0) await creditWallet(tx, { accountId, purse, amount, note: 'Test money', actor })
  }
}

/** What a request about the test side needs: both databases. */
export type BothSides = { readonly db: Db; readonly testDb: Db }

/**
 * Makes the test side's account for a real account: with the same id, name and present role, an address that gets no mail, and
 * full purses. If it exists already, only its role is updated.
 */
async function ensureTestAccount({ db, testDb }: BothSides, accountId: string): Promise<void> {
  const { name, ...real } = await readAccount(db, accountId)
  const isExpired = real.roleExpiresAt !== null && real.roleExpiresAt <= new Date()
  const { role, roleExpiresAt } = isExpired ? { role: 'customer' as const, roleExpiresAt: null } : real
  await inTransaction(testDb, async (tx) => {
    // The account is made once, also when two of its members make their first test key at the same moment.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`test account ${accountId}`}, 0))`.execute(tx)
    if (await findAccount(tx, accountId)) {
      await setAccountRole(tx, { accountId, role, roleExpiresAt, actor })
      return
    }
    const email = `${accountId}@test-side.invalid`
    await createAccount(tx, { accountId, email, name, role, roleExpiresAt, isBusiness: true, isPolicyAccepted: true, actor })
    await fillPurses(tx, accountId)
  })
}

/**
 * Makes a key of the test side, which works at once and takes the place of the old one of its type. It needs no role, policy or
 * approval, because it moves no real money.
 */
export async function makeTestKey(
  sides: BothSides,
  asked: { readonly accountId: string; readonly type: KeyType; readonly prefix: string },
): Promise<CreatedKey> {
  await ensureTestAccount(sides, asked.accountId)
  return inTransaction(sides.testDb, (tx) => createKey(tx, { ...asked, isPending: false, actor }))
}

/** Fills the test purses of an account up. @throws AccountError for an account that has no test key yet */
export async function fillTestPurses(testDb: Db, accountId: string): Promise<void> {
  await readAccount(testDb, accountId)
  await inTransaction(testDb, (tx) => fillPurses(tx, accountId))
}

/** Ends a test key of an account for good. @returns undefined when the account has no such key */
export async function endTestKey(testDb: Db, asked: { readonly accountId: string; readonly keyId: string }) {
  const key = await readKey(testDb, asked.keyId)
  if (key?.accountId !== asked.accountId) return undefined
  return inTransaction(testDb, (tx) => revokeKey(tx, { keyId: asked.keyId, actor }))
}
