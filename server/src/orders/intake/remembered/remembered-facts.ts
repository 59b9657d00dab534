import { sql } from 'kysely'
import { pricingRole, type Role } from '../../../accounts/caller.ts'
import { type WalletState, walletId } from '../../../money/wallets.ts'
import type { Db } from '../../../platform/database/database.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import { listOrdersById } from '../../order.ts'
import type { AccountFacts, OrderItem } from '../../order-kind.ts'
import { isManualRoute, isOwnLoopRoute } from '../../routes-without-suppliers.ts'
import type { IntakeFacts, NewOrder, TakenReference } from '../decide-calls.ts'
import { sharedKeyOf } from '../place-orders.ts'

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
export type RememberedFacts = {
  /** Undefined before the first read and after `forgetEpoch`. */
  epoch: RememberedEpoch | undefined
  /** The latest time that the database returned. */
  clock: Date
  readonly accounts: Map<string, RememberedAccount>
  /** The wallets that pay in pesewas, by account. */
  readonly wallets: Map<string, WalletState>
}

/** Above this number all accounts are forgotten, so that the memory stays small. */
const accountsMax = 50_000

export function createRememberedFacts(): RememberedFacts {
  return { epoch: undefined, clock: new Date(0), accounts: new Map(), wallets: new Map() }
}

/** Forgets the epoch with its accounts and the version of the catalogue, because they may have changed. Keeps the wallets. */
export function forgetEpoch(facts: RememberedFacts): void {
  facts.epoch = undefined
  facts.accounts.clear()
}

type ReadRow = {
  server: string
  epoch: number
  catalogue_version: number
  clock: Date
  accounts: [id: string, status: string, role: Role, roleExpiresAt: string | null, balance: number, lastEntryNo: number][] | null
}

/**
 * Reads the accounts that are not remembered, with their wallets, and the epoch. One statement, so that all are of the same
 * moment. Runs no statement when all of these are remembered.
 */
export async function readMissingFacts(db: Db, facts: RememberedFacts, accountIds: readonly string[]): Promise<void> {
  const unknown = accountIds.filter((id) => !(facts.accounts.has(id) && facts.wallets.has(id)))
  if (facts.epoch !== undefined && unknown.length === 0) return
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
  if (facts.epoch?.server !== row.server || facts.epoch.epoch !== row.epoch) forgetEpoch(facts)
  if (facts.accounts.size > accountsMax) {
    facts.accounts.clear()
    facts.wallets.clear()
  }
  facts.epoch = { server: row.server, epoch: row.epoch, catalogueVersion: row.catalogue_version }
  facts.clock = row.clock
  for (const [id, status, role, roleExpiresAt, balance, lastEntryNo] of row.accounts ?? []) {
    const expiry = roleExpiresAt === null ? null : new Date(roleExpiresAt)
    facts.accounts.set(id, { isSuspended: status !== 'active', role, roleExpiresAt: expiry })
    facts.wallets.set(id, { balance, lastEntryNo })
  }
}

/** The facts to decide on for one account, and the moment until which its role counts. */
export type AccountInBatch = { readonly facts: AccountFacts; readonly wallet: WalletState; readonly roleExpiresAt: Date | null }

export function findRemembered(facts: RememberedFacts, accountId: string): AccountInBatch | undefined {
  const account = facts.accounts.get(accountId)
  const wallet = facts.wallets.get(accountId)
  if (!account || !wallet) return undefined
  const { isSuspended, role, roleExpiresAt } = account
  const isExpired = roleExpiresAt !== null && roleExpiresAt.getTime() <= facts.clock.getTime()
  return {
    facts: { isSuspended, isPermanent: roleExpiresAt === null, pricingRole: pricingRole(role, roleExpiresAt, facts.clock) },
    wallet,
    // An expired role stays expired, so the write need not check its expiry.
    roleExpiresAt: isExpired ? null : roleExpiresAt,
  }
}

export function mainWalletId(accountId: string): string {
  return walletId({ accountId, purse: 'main' })
}

/** The facts that a batch was decided on, and its decisions. */
export type DecidedBatch = {
  readonly epoch: RememberedEpoch
  /** The earliest expiry of a role in the batch; null when none expires. */
  readonly rolesHoldUntil: Date | null
  /** Each account's remembered wallet, and its wallet after the batch. */
  readonly wallets: readonly { readonly accountId: string; readonly before: WalletState; readonly after: WalletState }[]
  readonly newOrders: readonly NewOrder[]
  /** The items that were refused or left out although no order held their reference. */
  readonly refused: readonly OrderItem[]
}

/** The database's result for a decided batch; `schema/orders/write_batch.sql` explains each field. */
export type WrittenBatch = {
  readonly clock: Date
  readonly isCurrent: boolean
  readonly busy: readonly string[]
  /** The present wallets of accounts whose wallet was not as remembered. */
  readonly stale: ReadonlyMap<string, WalletState>
  /** The references that were not free, with the account of this batch that asked for them. */
  readonly taken: readonly { readonly reference: string; readonly accountId: string }[]
}

type WrittenRow = {
  clock: Date
  is_current: boolean
  busy: string[] | null
  stale: [accountId: string, balance: number, lastEntryNo: number][] | null
  taken: string[] | null
  taken_by: string[] | null
}

/** False for orders that the order loop never claims: completed ones, and those for people or a product's own loop. */
function isDue(route: string | undefined): boolean {
  return route !== undefined && !isManualRoute(route) && !isOwnLoopRoute(route)
}

/**
 * Calls `write_batch`, outside a transaction: its answer is the answer to a COMMIT.
 * @throws when the answer was lost, or the database rolled the call back (`provesRollback` says which)
 */
export async function writeBatch(db: Db, batch: DecidedBatch): Promise<WrittenBatch> {
  const { epoch, rolesHoldUntil, wallets, newOrders, refused } = batch
  const walletArguments = rowsOf(wallets, {
    wallet_accounts: ['uuid', ({ accountId }) => accountId],
    wallet_balances: ['bigint', ({ before }) => before.balance],
    wallet_entry_nos: ['bigint', ({ before }) => before.lastEntryNo],
    balances_after: ['bigint', ({ after }) => after.balance],
    entry_nos_after: ['bigint', ({ after }) => after.lastEntryNo],
  }).asArguments()
  const orderArguments = rowsOf(newOrders, {
    order_ids: ['uuid', ({ order }) => order.id],
    order_accounts: ['uuid', ({ order }) => order.accountId],
    order_kinds: ['text', ({ order }) => order.kind],
    wanted_references: ['text', ({ order }) => order.reference],
    fingerprints: ['text', ({ item }) => item.fingerprint],
    statuses: ['text', ({ order }) => order.status],
    prices: ['bigint', ({ order }) => order.price],
    recipients: ['text', ({ order }) => order.recipient],
    sources: ['text', ({ order }) => order.source],
    order_details: ['text', ({ order }) => JSON.stringify(order.details)],
    routes: ['text', ({ route }) => route ?? null],
    are_due: ['boolean', ({ route }) => isDue(route)],
    roles: ['text', ({ role }) => role],
    order_entry_nos: ['bigint', ({ debit }) => debit.fromEntryNo],
    order_balances_after: ['bigint', ({ debit }) => debit.fromBalanceAfter],
  }).asArguments()
  const refusedArguments = rowsOf(refused, {
    refused_references: ['text', ({ reference }) => reference],
    refused_accounts: ['uuid', ({ accountId }) => accountId],
  }).asArguments()
  const { rows } = await sql<WrittenRow>`
    select * from write_batch(
      known_server => ${epoch.server}::timestamptz,
      known_epoch => ${epoch.epoch}::bigint,
      roles_hold_until => ${rolesHoldUntil ?? 'infinity'}::timestamptz,
      ${walletArguments}, ${orderArguments}, ${refusedArguments})`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database did not answer a batch')
  return {
    clock: row.clock,
    isCurrent: row.is_current,
    busy: row.busy ?? [],
    stale: new Map((row.stale ?? []).map(([accountId, balance, lastEntryNo]) => [accountId, { balance, lastEntryNo }])),
    taken: (row.taken ?? []).map((reference, index) => ({ reference, accountId: row.taken_by?.[index] ?? '' })),
  }
}

/**
 * Corrects the memory by the database's answer to a batch.
 * @returns the accounts for which nothing was written: their calls have no outcome yet
 */
export function correctRememberedFacts(facts: RememberedFacts, { wallets }: DecidedBatch, written: WrittenBatch): Set<string> {
  const { clock, isCurrent, stale, taken, busy } = written
  facts.clock = clock
  if (!isCurrent) {
    forgetEpoch(facts)
    return new Set(wallets.map(({ accountId }) => accountId))
  }
  for (const [accountId, wallet] of stale) facts.wallets.set(accountId, wallet)
  const missed = new Set([...stale.keys(), ...taken.map(({ accountId }) => accountId), ...busy])
  for (const { accountId, after } of wallets) if (!missed.has(accountId)) facts.wallets.set(accountId, after)
  return missed
}

/** Taken references with their orders. A committed reference is never free again. */
export type ReferenceHolders = Pick<IntakeFacts, 'references' | 'orders'>

/** Reads the holders of these shared references. @returns them with the known ones */
export async function readHolders(
  db: Db,
  taken: readonly { readonly reference: string }[],
  known: ReferenceHolders,
): Promise<ReferenceHolders> {
  const { rows } = await sql<TakenReference & { reference: string }>`
    select reference, order_id as "orderId", account_id as "accountId", kind, encode(fingerprint, 'hex') as fingerprint
    from order_references
    where reference = any(${taken.map(({ reference }) => reference)}::text[])`.execute(db)
  const orders = await listOrdersById(
    db,
    rows.map(({ orderId }) => orderId),
  )
  return {
    references: new Map([...known.references, ...rows.map((row) => [sharedKeyOf(row.reference), row] as const)]),
    orders: new Map([...known.orders, ...orders]),
  }
}
