import type { WalletBooks } from '../../money/wallets.ts'
import type { Order } from '../order.ts'
import type { AccountBook, OrderItem, OrderKind } from '../order-kind.ts'

/** Who holds a reference. */
export type ReferenceBook = {
  readonly orderId: string
  readonly accountId: string
  readonly kind: string
  /** SHA-256 in hexadecimal. */
  readonly fingerprint: string
}

/** One caller's wish: a single order, or several that are placed all or not at all. */
export type OrderCall = { readonly accountId: string; readonly items: readonly OrderItem[] }

/** All the kinds a batch may meet, by name. */
export type OrderKinds = ReadonlyMap<string, OrderKind>

/**
 * What one batch knows of the world, read under its locks: everything that `decideCalls` needs and
 * nothing else. Values in the maps are never changed in place, so a fork copies only the maps.
 */
export type Books = {
  readonly now: Date
  readonly catalogueVersion: number
  readonly accounts: ReadonlyMap<string, AccountBook>
  wallets: WalletBooks
  /** References taken, by `repeatKeyOf`: before this batch, and in it so far. */
  references: Map<string, ReferenceBook>
  /** Orders behind taken references, those that a lost commit of this batch placed, and those placed in it so far. */
  orders: Map<string, Order>
  /** What each kind read. */
  reads: Map<string, unknown>
}

/** A copy on which a call that can fail only before it pays is tried: just what its kind counts down is copied. */
export function forkReads(books: Books, kinds: OrderKinds): Books {
  const reads = new Map<string, unknown>()
  for (const [name, read] of books.reads) reads.set(name, kinds.get(name)?.fork(read))
  return { ...books, reads }
}

/** A copy on which the orders of one call are tried together. */
export function forkBooks(books: Books, kinds: OrderKinds): Books {
  return {
    ...forkReads(books, kinds),
    wallets: new Map(books.wallets),
    references: new Map(books.references),
    orders: new Map(books.orders),
  }
}

/** Makes what was tried on a fork true. */
export function mergeBooks(books: Books, fork: Books): void {
  books.wallets = fork.wallets
  books.references = fork.references
  books.orders = fork.orders
  books.reads = fork.reads
}
