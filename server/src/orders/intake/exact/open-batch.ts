import { sql } from 'kysely'
import { pricingRole, type Role } from '../../../accounts/caller.ts'
import type { AccountPurse } from '../../../money/money.tables.ts'
import { type WalletKey, type WalletStates, walletId } from '../../../money/wallets.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import { listOrdersById } from '../../order.ts'
import type { AccountFacts, OrderItem, RepeatKey } from '../../order-kind.ts'
import type { IntakeFacts, NewOrder, TakenReference } from '../decide-calls.ts'
import { accountKeyOf, repeatKeyOf, sharedKeyOf } from '../place-orders.ts'

/** The state of a batch whose wallets are locked and whose references are reserved. */
export type OpenedBatch = {
  /** The database's clock. */
  readonly now: Date
  readonly catalogueVersion: number
  readonly wallets: WalletStates
  readonly accounts: ReadonlyMap<string, AccountFacts>
  /** The references that this batch reserved, with their items. */
  readonly reserved: ReadonlyMap<string, OrderItem>
  /** The references that were not free, with their holders. */
  readonly taken: readonly (TakenReference & { readonly reference: string })[]
}

type OpenedRow = {
  clock: Date
  catalogue_version: number
  wallets: [accountId: string, purse: AccountPurse, balance: number, lastEntryNo: number][] | null
  accounts: [id: string, status: string, role: Role, roleExpiresAt: string | null][] | null
  reserved_count: number
  taken: [reference: string, orderId: string, accountId: string, kind: string, fingerprint: string][] | null
}

function accountFactsOf([, status, role, roleExpiresAt]: NonNullable<OpenedRow['accounts']>[number], now: Date): AccountFacts {
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
 * @param shared items whose reference belongs to the one name space of all accounts; the first item with a reference gets it
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
    accounts: new Map((row.accounts ?? []).map((account) => [account[0], accountFactsOf(account, row.clock)])),
    reserved: first,
    taken,
  }
}

type Repeats = Pick<IntakeFacts, 'references' | 'orders'>

/**
 * Reads the earlier orders that these items may repeat: those that hold the items' references, in the account's own name
 * space or in the shared one.
 */
export async function readRepeats(tx: Tx, items: readonly OrderItem[], taken: OpenedBatch['taken']): Promise<Repeats> {
  const references = new Map<string, TakenReference>(taken.map((holder) => [sharedKeyOf(holder.reference), holder]))
  for (const own of await readAccountReferences(tx, items)) {
    references.set(accountKeyOf(own.accountId, own.service, own.reference), own)
  }
  // Items without a key for repeats are found by the order's id, in case an earlier COMMIT succeeded and its answer was lost.
  const unnamed = items.filter((item) => repeatKeyOf(item) === undefined).map((item) => item.orderId)
  const orderIds = [...references.values()].map((holder) => holder.orderId)
  return { references, orders: await listOrdersById(tx, [...new Set([...orderIds, ...unnamed])]) }
}

type AccountReference = TakenReference & { readonly service: string; readonly reference: string }

/**
 * Finds the holders of the accounts' own references in this batch (decision R1: name spaces of references). This transaction
 * holds the wallet's lock, without which nobody can take such a reference, so the answer stays true.
 */
async function readAccountReferences(tx: Tx, items: readonly OrderItem[]): Promise<AccountReference[]> {
  const wanted = ownKeys(items)
  if (wanted.length === 0) return []
  const { rows } = await sql<AccountReference>`
    select account_id as "accountId", service, reference, order_id as "orderId", kind, encode(fingerprint, 'hex') as fingerprint
    from account_references
    where ${rowsOf(wanted, {
      account_id: ['uuid', ({ item }) => item.accountId],
      service: ['text', ({ key }) => key.service],
      reference: ['text', ({ key }) => key.reference],
    }).matching('account_references')}`.execute(tx)
  return rows
}

export type OwnKey = { readonly item: OrderItem; readonly key: RepeatKey & { scope: 'account' } }

export function ownKeys(items: readonly OrderItem[]): OwnKey[] {
  return items.flatMap((item) => (item.repeatKey?.scope === 'account' ? { item, key: item.repeatKey } : []))
}

/** The items whose reference belongs to the one name space of all accounts. */
export function sharedItems(items: readonly OrderItem[]): OrderItem[] {
  return items.filter((item) => item.repeatKey === undefined)
}

/** Frees the references of items that got no order. Where a later item of the batch got the reference, the row is corrected. */
export async function releaseReferences(tx: Tx, { reserved }: OpenedBatch, newOrders: readonly NewOrder[]): Promise<void> {
  const winners = new Map(sharedItems(newOrders.map((newOrder) => newOrder.item)).map((item) => [item.reference, item]))
  const unused = [...reserved.keys()].filter((reference) => winners.get(reference) !== reserved.get(reference))
  if (unused.length === 0) return
  await sql`delete from order_references where reference = any(${unused}::text[])`.execute(tx)
  const late = unused.flatMap((reference) => winners.get(reference) ?? [])
  if (late.length > 0) await openBatch(tx, [], [], late)
}
