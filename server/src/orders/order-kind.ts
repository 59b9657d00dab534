import type { Role } from '../accounts/caller.ts'
import type { Amount, Credits } from '../money/amount.ts'
import type { Pesewas } from '../money/pesewas.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Refusal } from '../platform/http/refusals.ts'

/**
 * How to recognise a repeat of a request where the order's own reference is not enough (decision R1: name spaces of
 * references). `account`: by a reference of the account's own, in the name space of one service. `none`: every request is a new
 * order; after a COMMIT whose answer was lost, the order is still found by its id.
 */
export type RepeatKey =
  | { readonly scope: 'account'; readonly service: string; readonly reference: string }
  | { readonly scope: 'none' }

/** One order of a caller's request, as the intake receives it. */
export type OrderItem<Request = unknown> = {
  /** UUIDv7, chosen before the first try: a batch that runs again recognises its own orders by it. */
  readonly orderId: string
  readonly accountId: string
  /** The person who places it in the dashboard. Undefined for a program. */
  readonly personId?: string | undefined
  readonly kind: string
  /** The order's reference. Without a `repeatKey` it is taken for ever, in the name space that all accounts share. */
  readonly reference: string
  readonly repeatKey?: RepeatKey
  /**
   * Made by `hashRequest` from the canonical request (decision R2: what counts as the same request). Where a reference is a
   * pure idempotency key (decision R8: what the reference of a bill means), all requests have the same fingerprint.
   */
  readonly fingerprint: string
  /**
   * The price that the person saw, in the unit of its kind; undefined for a program. A new order at any other price is refused.
   * It is no part of the fingerprint, so a repeat of the request is still recognised after the price has changed.
   */
  readonly shownPrice?: Pesewas | Credits | undefined
  /** The facts that the order's kind decides on. */
  readonly request: Request
}

/**
 * The facts about an account that the intake decides on. They are read under the wallet's lock, or compared before anything
 * is written.
 */
export type AccountFacts = {
  readonly isSuspended: boolean
  /** The role has no expiry: a lifetime agent or dealer, or a plain customer. */
  readonly isPermanent: boolean
  /** The role that decides prices now. An expired role counts as `customer`. */
  readonly pricingRole: Role
}

export type DecisionView = {
  readonly now: Date
  readonly account: AccountFacts
  /**
   * The version of the catalogue that the batch is decided on. An item with a price from another version must get a new
   * price.
   */
  readonly catalogueVersion: number
}

type AcceptedOrder = {
  readonly price: Pesewas | Credits
  readonly recipient: string
  readonly details: Record<string, unknown>
}

/**
 * The order to write, or the reason to refuse it. An open order has a route: a worker finds the order by it, or a person where
 * people fulfil the product. An order that the purchase itself delivers is `completed` from the start: it has no route and no
 * row in the schedule. A skipped item is left out, and the other items of its call go on.
 */
export type KindDecision =
  | { readonly refusal: Refusal }
  | { readonly skipped: Refusal }
  | (AcceptedOrder & { readonly status: 'pending' | 'queued'; readonly route: string })
  | (AcceptedOrder & { readonly status: 'completed'; readonly route?: undefined })

/**
 * Describes a product's orders to the intake. `Read` is the type of the facts that the kind reads from the database for a
 * whole batch. For a batch without an item of this kind, `read`, `decide`, `take` and `write` are not called.
 */
export type OrderKind<Request = unknown, Read = unknown> = {
  readonly name: string
  /** The unit of the orders' prices, which decides the paying purse. */
  readonly unit: Amount['unit']
  readonly insufficientFunds: Refusal
  /**
   * Lets items be decided without a read of the database. Such an item takes nothing from a stock, and writes nothing but
   * its order. Left out: every batch reads.
   */
  readonly fromMemory?: {
    /** True when the item's own facts are enough at this version of the catalogue. */
    suffices(item: OrderItem<Request>, catalogueVersion: number): boolean
    /** The value that `read` would give for such items. */
    read(): Read
  }
  /** Reads what `decide` needs, for all items at once, with locks where they are needed. */
  read(tx: Tx, items: readonly OrderItem<Request>[], catalogueVersion: number): Promise<Read>
  /**
   * Decides one item whose reference is new. Pure. When it accepts, `take` is called at once on the same `read`. If the
   * call is refused after all, that copy is thrown away.
   */
  decide(item: OrderItem<Request>, view: DecisionView, read: Read): KindDecision
  /** A copy of `read` for trying a call; the same value where the kind counts nothing down. */
  fork(read: Read): Read
  /** Counts down, in `read`, the stock that an accepted item takes. */
  take(item: OrderItem<Request>, read: Read): void
  /** Writes the kind's own rows beside the orders, and the numbers that were counted down. */
  write(tx: Tx, accepted: readonly OrderItem<Request>[], read: Read): Promise<void>
}
