import { sql } from 'kysely'
import { pricingRole, type Role } from '../../../accounts/caller.ts'
import { type WalletBook, walletId } from '../../../money/wallets.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { AccountBook } from '../../order-kind.ts'

/** An account as it was read under the remembered epoch. */
type RememberedAccount = { readonly isSuspended: boolean; readonly role: Role; readonly roleExpiresAt: Date | null }

/** The server and the epoch that accounts and the catalogue's version were read from. */
export type RememberedEpoch = {
  readonly server: string
  readonly epoch: number
  readonly catalogueVersion: number
}

/**
 * The facts that one process remembers, so that it can decide a batch before it asks the database. The call that writes a batch
 * compares everything that the batch was decided on, so a wrong value costs one more call and nothing else.
 */
export type RememberedBooks = {
  /** Undefined before the first read and after `forgetEpoch`. */
  epoch: RememberedEpoch | undefined
  /** The latest time that the database returned. */
  clock: Date
  readonly accounts: Map<string, RememberedAccount>
  /** The wallets that pay in pesewas, by account. */
  readonly wallets: Map<string, WalletBook>
}

/** Above this number all accounts are forgotten, so that the memory stays small. */
const accountsMax = 50_000

export function createRememberedBooks(): RememberedBooks {
  return { epoch: undefined, clock: new Date(0), accounts: new Map(), wallets: new Map() }
}

/** Forgets the accounts' roles and the version of the catalogue, because one of them has changed. */
export function forgetEpoch(books: RememberedBooks): void {
  books.epoch = undefined
  books.accounts.clear()
}

type ReadRow = {
  server: string
  epoch: number
  catalogue_version: number
  clock: Date
  accounts: [id: string, status: string, role: Role, roleExpiresAt: string | null, balance: number, lastEntryNo: number][] | null
}

/**
 * Reads accounts and their wallets, unless all of them are remembered. One statement, so that the accounts and the epoch
 * are of the same moment.
 */
export async function readUnknown(db: Db, books: RememberedBooks, accountIds: readonly string[]): Promise<void> {
  const unknown = accountIds.filter((id) => !(books.accounts.has(id) && books.wallets.has(id)))
  if (books.epoch !== undefined && unknown.length === 0) return
  const { rows } = await sql<ReadRow>`
    select pg_postmaster_start_time()::text as server, epoch, catalogue_version, clock_timestamp() as clock, (
      select json_agg(json_build_array(account.id, status, role, role_expires_at, balance, last_entry_no))
      from accounts as account
      join wallets as wallet on wallet.account_id = account.id and wallet.purse = 'main'
      where account.id = any(${unknown}::uuid[])
    ) as accounts
    from cache_epoch`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the table cache_epoch has lost its row')
  if (books.epoch?.server !== row.server || books.epoch.epoch !== row.epoch) forgetEpoch(books)
  if (books.accounts.size > accountsMax) {
    books.accounts.clear()
    books.wallets.clear()
  }
  books.epoch = { server: row.server, epoch: row.epoch, catalogueVersion: row.catalogue_version }
  books.clock = row.clock
  for (const [id, status, role, roleExpiresAt, balance, lastEntryNo] of row.accounts ?? []) {
    const expiry = roleExpiresAt === null ? null : new Date(roleExpiresAt)
    books.accounts.set(id, { isSuspended: status !== 'active', role, roleExpiresAt: expiry })
    books.wallets.set(id, { balance, lastEntryNo })
  }
}

/** The facts to decide on for one account, and the moment until which its role counts. */
export type AccountInBatch = { readonly book: AccountBook; readonly wallet: WalletBook; readonly roleExpiresAt: Date | null }

/** Undefined when the account is not remembered. */
export function findRemembered(books: RememberedBooks, accountId: string): AccountInBatch | undefined {
  const account = books.accounts.get(accountId)
  const wallet = books.wallets.get(accountId)
  if (!account || !wallet) return undefined
  const { isSuspended, role, roleExpiresAt } = account
  const isExpired = roleExpiresAt !== null && roleExpiresAt.getTime() <= books.clock.getTime()
  return {
    book: { isSuspended, isPermanent: roleExpiresAt === null, pricingRole: pricingRole(role, roleExpiresAt, books.clock) },
    wallet,
    // An expired role does not come back, so its expiry need not hold when the batch is written.
    roleExpiresAt: isExpired ? null : roleExpiresAt,
  }
}

export function mainWalletId(accountId: string): string {
  return walletId({ accountId, purse: 'main' })
}
