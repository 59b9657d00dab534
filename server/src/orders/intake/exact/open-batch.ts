import { sql } from 'kysely'
import { pricingRole, type Role } from '../../../accounts/caller.ts'
import type { AccountPurse } from '../../../money/money.tables.ts'
import { type WalletBooks, type WalletKey, walletId } from '../../../money/wallets.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import type { AccountBook, OrderItem } from '../../order-kind.ts'

/** The order that holds a reference of the shared name space. `fingerprint` is SHA-256 in hexadecimal. */
export type ReferenceHolder = {
  readonly reference: string
  readonly orderId: string
  readonly accountId: string
  readonly kind: string
  readonly fingerprint: string
}

/** The state of a batch whose wallets are locked and whose references are reserved. */
export type OpenedBatch = {
  /** The database's clock. */
  readonly now: Date
  readonly catalogueVersion: number
  readonly wallets: WalletBooks
  readonly accounts: ReadonlyMap<string, AccountBook>
  /** The references that this batch reserved, with their items. */
  readonly reserved: ReadonlyMap<string, OrderItem>
  /** The references that were not free, with their holders. */
  readonly taken: readonly ReferenceHolder[]
}

type OpenedRow = {
  clock: Date
  catalogue_version: number
  wallets: [accountId: string, purse: AccountPurse, balance: number, lastEntryNo: number][] | null
  accounts: [id: string, status: string, role: Role, roleExpiresAt: string | null][] | null
  reserved_count: number
  taken: [reference: string, orderId: string, accountId: string, kind: string, fingerprint: string][] | null
}

function bookOfAccount([, status, role, roleExpiresAt]: NonNullable<OpenedRow['accounts']>[number], now: Date): AccountBook {
  const expiresAt = roleExpiresAt === null ? null : new Date(roleExpiresAt)
  return {
    isSuspended: status !== 'active',
    isPermanent: expiresAt === null,
    pricingRole: pricingRole(role, expiresAt, now),
  }
}

/**
 * Locks the wallets of a batch, reserves its shared references in one fixed order, and reads the facts to decide on, in one
 * call to the database (function `open_batch_skipping_locked`). A wallet that another transaction holds is missing in the
 * result. Waits for another transaction that is inserting the same reference.
 *
 * @param shared items whose reference belongs to the one name space of all accounts; of equal references the first is meant
 */
export async function openBatch(
  tx: Tx,
  keys: readonly WalletKey[],
  accountIds: readonly string[],
  shared: readonly OrderItem[],
): Promise<OpenedBatch> {
  const first = new Map<string, OrderItem>()
  for (const item of shared) if (!first.has(item.reference)) first.set(item.reference, item)
  const wanted = [...first.values()]
  const walletArguments = rowsOf(keys, {
    wallet_accounts: ['uuid', ({ accountId }) => accountId],
    wallet_purses: ['text', ({ purse }) => purse],
  }).asArguments()
  const referenceArguments = rowsOf(wanted, {
    wanted_references: ['text', ({ reference }) => reference],
    wanted_accounts: ['uuid', ({ accountId }) => accountId],
    wanted_orders: ['uuid', ({ orderId }) => orderId],
    wanted_kinds: ['text', ({ kind }) => kind],
    wanted_fingerprints: ['text', ({ fingerprint }) => fingerprint],
  }).asArguments()
  const { rows } = await sql<OpenedRow>`
    select * from open_batch_skipping_locked(
      account_ids => ${accountIds}::uuid[], ${walletArguments}, ${referenceArguments})`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the database did not open the batch')
  const taken = (row.taken ?? []).map(([reference, orderId, accountId, kind, fingerprint]) => ({
    reference,
    orderId,
    accountId,
    kind,
    fingerprint,
  }))
  for (const { reference } of taken) first.delete(reference)
  if (first.size !== row.reserved_count) throw new Error('a taken reference vanished while its transaction was read')
  return {
    now: row.clock,
    catalogueVersion: row.catalogue_version,
    wallets: new Map(
      (row.wallets ?? []).map(([accountId, purse, balance, lastEntryNo]) => [
        walletId({ accountId, purse }),
        { balance, lastEntryNo },
      ]),
    ),
    accounts: new Map((row.accounts ?? []).map((account) => [account[0], bookOfAccount(account, row.clock)])),
    reserved: first,
    taken,
  }
}
