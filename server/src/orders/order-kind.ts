import type { Role } from '../accounts/caller.ts'
import type { Credits } from '../money/amount.ts'
import type { AccountPurse } from '../money/money.tables.ts'
import type { Pesewas } from '../money/pesewas.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Refusal } from '../platform/http/refusals.ts'

/**
 * By what a repeat of a request is recognised when it is not the order's own reference (decision R1: name spaces of
 * references). `account`: a reference of the account's own, in the name space of one service. `none`: by nothing, every
 * request is a new one; only a lost commit is still recognised, by the order's id.
 */
export type RepeatKey =
  | { readonly scope: 'account'; readonly service: string; readonly reference: string }
  | { readonly scope: 'none' }

/** One order somebody wants, as it enters the intake. */
export type OrderItem<Request = unknown> = {
  /** UUIDv7, given before the first attempt: a batch that is run again recognises its own orders by it. */
  readonly orderId: string
  readonly accountId: string
  readonly kind: string
  /** What the order is called. Without a `repeatKey` it is taken in the one name space of all accounts, for ever. */
  readonly reference: string
  readonly repeatKey?: RepeatKey
  /**
   * SHA-256 of the canonical request, in hexadecimal (decision R2: what counts as the same request). Where a reference is a
   * pure idempotency key (decision R8: what the reference of a bill means), every request has the same one.
   */
  readonly fingerprint: string
  /** What the order's kind decides on. */
  readonly request: Request
}

/** What the intake knows of an account while its wallet is locked, by the database's clock. */
export type AccountBook = {
  readonly isSuspended: boolean
  /** The role has no expiry: a lifetime agent or dealer, or a plain customer. */
  readonly isPermanent: boolean
  /** The role that prices follow now: an expired one is a customer's. */
  readonly pricingRole: Role
}

/** What a kind may look at when it decides. */
export type DecisionView = {
  readonly now: Date
  readonly account: AccountBook
  /** The catalogue's version in the transaction; an item priced from another one must be priced anew. */
  readonly catalogueVersion: number
}

/** What every accepted order has. */
type AcceptedOrder = {
  /** In the unit of the purse that pays. */
  readonly price: Pesewas | Credits
  readonly recipient: string
  readonly details: Record<string, unknown>
}

/**
 * The order as it will be written, or why not. An open order names its route, on which the worker or,
 * where it is a route of people, a person takes it on. What the purchase itself delivers is born
 * `completed`: it has no route and no place in the schedule. A skipped item is left out of its call,
 * which goes on with the others as if it had not been there.
 */
export type KindVerdict =
  | { readonly refusal: Refusal }
  | { readonly skipped: Refusal }
  | (AcceptedOrder & { readonly status: 'pending' | 'queued'; readonly route: string })
  | (AcceptedOrder & { readonly status: 'completed'; readonly route?: undefined })

/**
 * How a product describes itself to the intake. `Read` is what the kind needs from the database for a
 * whole batch; all functions are skipped in a batch without an item of the kind.
 */
export type OrderKind<Request = unknown, Read = unknown> = {
  readonly name: string
  /** The purse that pays. */
  readonly purse: AccountPurse
  readonly insufficientFunds: Refusal
  /** Reads, set-based and under lock where it must be, what `decide` needs. */
  read(tx: Tx, items: readonly OrderItem<Request>[], catalogueVersion: number): Promise<Read>
  /**
   * Decides one item whose reference has proved new. Pure: when it accepts, `take` is called at once
   * on the same read, which is thrown away if the call is refused after all.
   */
  decide(item: OrderItem<Request>, view: DecisionView, read: Read): KindVerdict
  /** A copy of `read` on which a call is tried; the same value where nothing is counted down. */
  fork(read: Read): Read
  /** Counts down what an accepted item takes. */
  take(item: OrderItem<Request>, read: Read): void
  /** Writes what the kind keeps beside the order, and what was counted down. */
  write(tx: Tx, accepted: readonly OrderItem<Request>[], read: Read): Promise<void>
}
