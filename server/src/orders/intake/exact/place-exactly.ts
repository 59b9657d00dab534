import { sql } from 'kysely'
import { payingPurse, type WalletBook, type WalletKey, walletId, walletKeyOf } from '../../../money/wallets.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import { listOrdersById } from '../../order.ts'
import type { OrderItem } from '../../order-kind.ts'
import { noteSpending, readSpendingLimits, type Spender } from '../../spending/spending-limits.ts'
import type { Books, OrderCall, OrderKinds, ReferenceBook } from '../books.ts'
import { type CallOutcome, decideCalls, type NewOrder } from '../decide-calls.ts'
import { accountKeyOf, repeatKeyOf, sharedKeyOf } from '../repeat-key.ts'
import { type OpenedBatch, openBatch, type ReferenceHolder } from './open-batch.ts'
import { type AccountReference, readAccountReferences, writeAccountReferences } from './own-references.ts'
import { writeNewOrders } from './write-new-orders.ts'

/** Records which orders persons placed in the dashboard. A batch of programs' orders alone costs no statement. */
async function notePersons(tx: Tx, items: readonly OrderItem[]): Promise<void> {
  const theirs = items.flatMap(({ orderId, personId }) => (personId === undefined ? [] : [{ orderId, personId }]))
  if (theirs.length === 0) return
  await sql`
    insert into orders_of_persons ${rowsOf(theirs, {
      order_id: ['uuid', ({ orderId }) => orderId],
      person_id: ['uuid', ({ personId }) => personId],
    }).forInsert()}`.execute(tx)
}

/** `wallet_busy`: another transaction holds the wallet. Nothing was done for the call. */
export type BatchOutcome = CallOutcome | 'wallet_busy'

/** The result of a batch. It counts once the transaction has committed. */
export type ExactBatch = {
  readonly outcomes: BatchOutcome[]
  /** The wallets that pay in pesewas, after the batch, by account. */
  readonly mainWallets: ReadonlyMap<string, WalletBook>
}

/**
 * Places a batch of calls in one transaction: locks the wallets, reserves the references, reads the facts, decides, writes. It
 * relies on nothing in memory, so it takes every call that `placeBatch` cannot decide, such as those of kinds that count a stock
 * down, calls in doubt, and calls after a failure. Both ways give the same outcomes.
 */
export async function placeExactly(tx: Tx, calls: readonly OrderCall[], kinds: OrderKinds): Promise<ExactBatch> {
  const asked = calls.flatMap((call) => call.items)
  const opened = await openBatch(tx, payingWallets(calls, kinds), accountsOf(asked), sharedItems(asked))
  // The references of calls whose wallet is busy are released with all others that get no order.
  const reachable = calls.filter((call) => payingWallets([call], kinds).every((key) => opened.wallets.has(walletId(key))))
  const items = reachable.flatMap((call) => call.items)
  const limits = await readSpendingLimits(tx, spendersOf(reachable), opened.now)
  const books: Books = {
    ...opened,
    ...(await readRepeats(tx, items, opened.taken)),
    ...(limits.size > 0 && { spendingLeft: new Map(limits) }),
    reads: new Map(),
  }
  for (const [kind, ofKind] of groupByKind(items)) {
    books.reads.set(kind, await kinds.get(kind)?.read(tx, ofKind, books.catalogueVersion))
  }

  const { outcomes, newOrders } = decideCalls(reachable, books, kinds)
  await releaseReferences(tx, opened, newOrders)
  await writeAccountReferences(
    tx,
    newOrders.map((newOrder) => newOrder.item),
  )
  await writeNewOrders(tx, newOrders, opened.now)
  if (books.spendingLeft) await noteSpending(tx, limits, books.spendingLeft, opened.now)
  await notePersons(
    tx,
    newOrders.map((newOrder) => newOrder.item),
  )
  for (const [kind, ofKind] of groupByKind(newOrders.map((newOrder) => newOrder.item))) {
    await kinds.get(kind)?.write(tx, ofKind, books.reads.get(kind))
  }
  const outcomeOf = new Map(reachable.map((call, index) => [call, outcomes[index] as CallOutcome]))
  return { outcomes: calls.map((call) => outcomeOf.get(call) ?? 'wallet_busy'), mainWallets: mainWalletsOf(books) }
}

/** The persons who purchase, each with the account. */
function spendersOf(calls: readonly OrderCall[]): Spender[] {
  return calls.flatMap(({ accountId, items: [first] }) =>
    first?.personId === undefined ? [] : [{ accountId, personId: first.personId }],
  )
}

function mainWalletsOf({ wallets }: Books): Map<string, WalletBook> {
  return new Map(
    [...wallets].flatMap(([id, wallet]) => {
      const { accountId, purse } = walletKeyOf(id)
      return purse === 'main' ? [[accountId, wallet]] : []
    }),
  )
}

function payingWallets(calls: readonly OrderCall[], kinds: OrderKinds): WalletKey[] {
  const keys = new Map<string, WalletKey>()
  for (const call of calls) {
    const kind = call.items[0]?.kind ?? ''
    const purse = payingPurse(kinds.get(kind)?.unit ?? 'pesewas')
    keys.set(walletId({ accountId: call.accountId, purse }), { accountId: call.accountId, purse })
  }
  return [...keys.values()]
}

/**
 * Groups items by kind, in the kinds' alphabetical order, so that two batches lock the stock of several products in the same
 * order.
 */
function groupByKind(items: readonly OrderItem[]): Map<string, OrderItem[]> {
  return new Map([...Map.groupBy(items, (item) => item.kind)].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function accountsOf(items: readonly OrderItem[]): string[] {
  return [...new Set(items.map((item) => item.accountId))]
}

/** The items whose reference belongs to the one name space of all accounts. */
function sharedItems(items: readonly OrderItem[]): OrderItem[] {
  return items.filter((item) => item.repeatKey === undefined)
}

type Repeats = Pick<Books, 'references' | 'orders'>

/**
 * Reads the earlier orders that these items may repeat: those that hold the items' references, in the account's own name
 * space or in the shared one.
 */
async function readRepeats(tx: Tx, items: readonly OrderItem[], taken: readonly ReferenceHolder[]): Promise<Repeats> {
  const references = booksOfReferences(taken, await readAccountReferences(tx, items))
  // Items without a key for repeats are found by the order's id, in case an earlier COMMIT succeeded and its answer was lost.
  const unnamed = items.filter((item) => repeatKeyOf(item) === undefined).map((item) => item.orderId)
  const orderIds = [...references.values()].map((holder) => holder.orderId)
  return { references, orders: await listOrdersById(tx, [...new Set([...orderIds, ...unnamed])]) }
}

function booksOfReferences(
  shared: readonly ReferenceHolder[],
  ofAccounts: readonly AccountReference[],
): Map<string, ReferenceBook> {
  return new Map([
    ...shared.map((holder) => [sharedKeyOf(holder.reference), holder] as const),
    ...ofAccounts.map((row) => [accountKeyOf(row.account_id, row.service, row.reference), bookOf(row)] as const),
  ])
}

function bookOf(row: AccountReference): ReferenceBook {
  return { orderId: row.order_id, accountId: row.account_id, kind: row.kind, fingerprint: row.fingerprint }
}

/** Frees the references of refused items. Where a later item of the batch got the reference, the row is corrected. */
async function releaseReferences(tx: Tx, { reserved }: OpenedBatch, newOrders: readonly NewOrder[]): Promise<void> {
  const winners = new Map(sharedItems(newOrders.map((newOrder) => newOrder.item)).map((item) => [item.reference, item]))
  const unused = [...reserved.keys()].filter((reference) => winners.get(reference) !== reserved.get(reference))
  if (unused.length === 0) return
  await sql`delete from order_references where reference = any(${unused}::text[])`.execute(tx)
  const late = unused.flatMap((reference) => winners.get(reference) ?? [])
  if (late.length > 0) await openBatch(tx, [], [], late)
}
