import { sql } from 'kysely'
import type { WalletBook } from '../../../money/wallets.ts'
import type { Db } from '../../../platform/database/database.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import type { OrderItem } from '../../order-kind.ts'
import { isOwnLoopRoute } from '../../own-loop-route.ts'
import { isPeoplesRoute } from '../../peoples-route.ts'
import type { NewOrder } from '../decide-calls.ts'
import type { RememberedEpoch } from './remembered-books.ts'

/** The facts that a batch was decided on, and its decisions. */
export type DecidedBatch = {
  readonly epoch: RememberedEpoch
  /** The earliest expiry of a role in the batch; null when none expires. */
  readonly rolesHoldUntil: Date | null
  /** Each account's remembered wallet, and its wallet after the batch. */
  readonly wallets: readonly { readonly accountId: string; readonly before: WalletBook; readonly after: WalletBook }[]
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
  readonly stale: ReadonlyMap<string, WalletBook>
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
  return route !== undefined && !isPeoplesRoute(route) && !isOwnLoopRoute(route)
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
