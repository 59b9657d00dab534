import type { WalletBooks } from '../../money/wallets.ts'
import type { Order } from '../order.ts'
import type { AccountBook, OrderItem, OrderKind } from '../order-kind.ts'

/** A reference, and the order that has it. */
export type ReferenceBook = {
  readonly orderId: string
  readonly accountId: string
  readonly kind: string
  /** SHA-256 in hexadecimal; of an order whose recipient was forgotten, the keyed hash of that. */
  readonly fingerprint: string
}

/** One caller's request: a single order, or several that are placed together or not at all. */
export type OrderCall = {
  readonly accountId: string
  readonly items: readonly OrderItem[]
  readonly keyFingerprint?: KeyFingerprint | undefined
}

/** Makes of an item's fingerprint the one that its order has once its recipient was forgotten. */
export type KeyFingerprint = (fingerprint: string) => string

/** The kinds of order that a batch may hold, by name. */
export type OrderKinds = ReadonlyMap<string, OrderKind>

/**
 * Everything that `decideCalls` needs for one batch: read under the batch's locks, or remembered and compared when the
 * batch is written. The values in the maps are never changed in place, so a fork copies only the maps.
 */
export type Books = {
  readonly now: Date
  readonly catalogueVersion: number
  readonly accounts: ReadonlyMap<string, AccountBook>
  wallets: WalletBooks
  /** The taken references, by `repeatKeyOf`: of earlier orders, and of this batch so far. */
  references: Map<string, ReferenceBook>
  /**
   * The orders that have the references of `references`, the orders that this batch placed in a COMMIT whose answer was
   * lost, and the orders placed in this batch so far.
   */
  orders: Map<string, Order>
  /** What each person with a limit may still spend today, in pesewas, by `spenderOf`. Absent where nobody was looked up. */
  spendingLeft?: Map<string, number>
  /** The result of each kind's `read`. */
  reads: Map<string, unknown>
}

/**
 * A cheap copy for trying a single order. Such a call cannot fail after it has paid, so only the numbers that its kind
 * counts down are copied.
 */
export function forkReads(books: Books, kinds: OrderKinds): Books {
  const reads = new Map<string, unknown>()
  for (const [name, read] of books.reads) reads.set(name, kinds.get(name)?.fork(read))
  return { ...books, reads }
}

/** A full copy for trying a call of several orders, which succeed or fail together. */
export function forkBooks(books: Books, kinds: OrderKinds): Books {
  return {
    ...forkReads(books, kinds),
    wallets: new Map(books.wallets),
    ...(books.spendingLeft && { spendingLeft: new Map(books.spendingLeft) }),
    references: new Map(books.references),
    orders: new Map(books.orders),
  }
}

/** Takes over the result of a try on a copy. */
export function mergeBooks(books: Books, fork: Books): void {
  books.wallets = fork.wallets
  books.references = fork.references
  if (fork.spendingLeft) books.spendingLeft = fork.spendingLeft
  books.orders = fork.orders
  books.reads = fork.reads
}
