import type { Role } from '../../accounts/caller.ts'
import { amountIn, formatAmount } from '../../money/amount.ts'
import { formatGhs, pesewas } from '../../money/pesewas.ts'
import { type PostedTransfer, postTransfer } from '../../money/post-transfer.ts'
import { payingPurse, salesPurse, walletId } from '../../money/wallets.ts'
import { type Refusal, refusals } from '../../platform/http/refusals.ts'
import type { Order } from '../order.ts'
import type { OrderItem, OrderKind } from '../order-kind.ts'
import { spenderOf } from '../spending/spending-limits.ts'
import {
  type Books,
  forkBooks,
  forkReads,
  type KeyFingerprint,
  mergeBooks,
  type OrderCall,
  type OrderKinds,
  type ReferenceBook,
} from './books.ts'
import { repeatKeyOf } from './repeat-key.ts'

/** A new order; for a replay, the order that already has the reference. */
export type Placement = { readonly order: Order; readonly isReplay: boolean }

/** An item that its kind left out: nothing was placed or charged for it, and its reference stays free. */
export type SkippedItem = { readonly itemIndex: number; readonly refusal: Refusal }

/** When a call is refused, no order was placed and no money moved, unless the refusal is `outcome_unknown`. */
export type CallOutcome =
  | { readonly refusal: Refusal; readonly itemIndex: number }
  | {
      /** In the order of the items, without the skipped ones. */
      readonly placements: readonly Placement[]
      readonly skipped: readonly SkippedItem[]
      /** The amount that this call took from the paying wallet, in the wallet's unit. */
      readonly charged: number
      /** The balance of the paying wallet after this call, in the wallet's unit. */
      readonly balance: number
    }

/** A new order to write, with its debit. An order without a route is `completed` from the start. */
export type NewOrder = {
  readonly item: OrderItem
  readonly order: Order
  readonly route: string | undefined
  /** The role whose prices the order has. */
  readonly role: Role
  readonly debit: PostedTransfer
}

export type BatchDecision = { readonly outcomes: readonly CallOutcome[]; readonly newOrders: readonly NewOrder[] }

/**
 * Of the refusals of a call's items, the first in this list is answered (decision A4: the order of checks). A taken reference
 * is refused before them, missing money after them.
 */
const refusalRank = [503, 400, 404, 409, 403] as const

type Draft = { placement: Placement; newOrder?: Omit<NewOrder, 'debit'> }

/**
 * Decides a batch of calls in the order in which they arrived. Pure: it changes only `books`, in memory, and what it
 * returns. It keeps every guarantee of the intake that does not come from a lock.
 */
export function decideCalls(calls: readonly OrderCall[], books: Books, kinds: OrderKinds): BatchDecision {
  const newOrders: NewOrder[] = []
  const outcomes = calls.map((call) => {
    const fork = call.items.length === 1 ? forkReads(books, kinds) : forkBooks(books, kinds)
    const outcome = decideCall(call, fork, kinds, newOrders)
    if (!('refusal' in outcome)) mergeBooks(books, fork)
    return outcome
  })
  return { outcomes, newOrders }
}

function decideCall(call: OrderCall, books: Books, kinds: OrderKinds, newOrders: NewOrder[]): CallOutcome {
  const conflictAt = call.items.findIndex((item) => isConflict(item, holderOf(item, books), call.keyFingerprint))
  if (conflictAt >= 0) return { refusal: refusals.referenceTaken, itemIndex: conflictAt }

  const drafts: Draft[] = []
  const refused: { refusal: Refusal; itemIndex: number }[] = []
  const skipped: SkippedItem[] = []
  for (const [itemIndex, item] of call.items.entries()) {
    const drafted = draftItem(item, books, kindOf(item, kinds))
    if ('refusal' in drafted) refused.push({ ...drafted, itemIndex })
    else if ('skipped' in drafted) skipped.push({ refusal: drafted.skipped, itemIndex })
    else drafts.push(drafted)
  }
  const first = refused.toSorted((a, b) => rankOf(a.refusal) - rankOf(b.refusal))[0]
  if (first) return first
  const paid = payForDrafts(call, drafts, books, kinds, newOrders)
  return 'refusal' in paid ? paid : { ...paid, skipped }
}

function rankOf(refusal: Refusal): number {
  const rank = refusalRank.findIndex((status) => status === refusal.status)
  return rank < 0 ? refusalRank.length : rank
}

function kindOf(item: OrderItem, kinds: OrderKinds): OrderKind {
  const kind = kinds.get(item.kind)
  if (!kind) throw new Error(`no order kind ${item.kind}`)
  return kind
}

/** The order that holds the item's reference. Undefined when the reference is free, or when the item has no key for repeats. */
function holderOf(item: OrderItem, books: Books): ReferenceBook | undefined {
  const key = repeatKeyOf(item)
  return key === undefined ? undefined : books.references.get(key)
}

function isConflict(item: OrderItem, holder: ReferenceBook | undefined, keyFingerprint: KeyFingerprint | undefined): boolean {
  if (!holder || holder.orderId === item.orderId) return false
  if (holder.accountId !== item.accountId || holder.kind !== item.kind) return true
  return holder.fingerprint !== item.fingerprint && holder.fingerprint !== keyFingerprint?.(item.fingerprint)
}

/**
 * Decides everything about one item except the money. If an order with this id exists already, an earlier COMMIT of
 * this call succeeded although its answer was lost: it is the call's own order and not a replay.
 */
function draftItem(item: OrderItem, books: Books, kind: OrderKind): Draft | { refusal: Refusal } | { skipped: Refusal } {
  const own = books.orders.get(item.orderId)
  if (own) return { placement: { order: own, isReplay: false } }
  const holder = holderOf(item, books)
  if (holder) {
    const order = books.orders.get(holder.orderId)
    if (!order) throw new Error(`reference ${item.reference} names order ${holder.orderId}, which does not exist`)
    return { placement: { order, isReplay: true } }
  }
  const account = books.accounts.get(item.accountId)
  if (!account || account.isSuspended) return { refusal: refusals.accountSuspended }
  const read = books.reads.get(kind.name)
  const decision = kind.decide(item, { now: books.now, account, catalogueVersion: books.catalogueVersion }, read)
  if ('refusal' in decision || 'skipped' in decision) return decision
  if (item.shownPrice !== undefined && item.shownPrice !== decision.price) {
    return { refusal: refusals.priceChanged(formatAmount(amountIn(kind.unit, decision.price))) }
  }
  kind.take(item, read)
  const order: Order = {
    id: item.orderId,
    accountId: item.accountId,
    kind: item.kind,
    reference: item.reference,
    status: decision.status,
    price: decision.price,
    recipient: decision.recipient,
    source: item.personId === undefined ? 'api' : 'dashboard',
    details: decision.details,
    createdAt: books.now,
    updatedAt: books.now,
  }
  return { placement: { order, isReplay: false }, newOrder: { item, order, route: decision.route, role: account.pricingRole } }
}

type Paid = Extract<CallOutcome, { refusal: Refusal }> | Omit<Extract<CallOutcome, { balance: number }>, 'skipped'>

function payForDrafts(call: OrderCall, drafts: readonly Draft[], books: Books, kinds: OrderKinds, newOrders: NewOrder[]): Paid {
  const kind = kindOf(call.items[0] as OrderItem, kinds)
  const purse = payingPurse(kind.unit)
  const paying = walletId({ accountId: call.accountId, purse })
  const wallet = books.wallets.get(paying)
  if (!wallet) throw new Error(`wallet ${paying} is not locked here`)
  const wanted = drafts.flatMap((draft) => draft.newOrder ?? [])
  const cost = sumOfPrices(wanted.map((newOrder) => newOrder.order))
  if (cost > wallet.balance) return { refusal: kind.insufficientFunds, itemIndex: 0 }
  const overLimit = kind.unit === 'pesewas' ? takeFromLimit(call, cost, books) : undefined
  if (overLimit) return { refusal: overLimit, itemIndex: 0 }
  for (const newOrder of wanted) {
    const { item, order } = newOrder
    const debit = postTransfer(books.wallets, {
      causeId: order.id,
      kind: 'purchase',
      accountId: order.accountId,
      fromPurse: purse,
      toPurse: salesPurse(purse),
      amount: order.price,
    })
    const key = repeatKeyOf(item)
    if (key !== undefined) {
      const { id: orderId, accountId, kind: orderKind } = order
      books.references.set(key, { orderId, accountId, kind: orderKind, fingerprint: item.fingerprint })
    }
    books.orders.set(order.id, order)
    newOrders.push({ ...newOrder, debit })
  }
  const placements = drafts.map((draft) => draft.placement)
  return {
    placements,
    // Includes orders that this call placed in an earlier run whose answer was lost.
    charged: sumOfPrices(placements.flatMap(({ order, isReplay }) => (isReplay ? [] : order))),
    balance: books.wallets.get(paying)?.balance ?? wallet.balance,
  }
}

/**
 * Takes a cost from what the purchasing person may spend today. Called last, when nothing else can refuse the call.
 * @returns the refusal when the person may not spend so much
 */
function takeFromLimit({ accountId, items: [first] }: OrderCall, cost: number, books: Books): Refusal | undefined {
  const spender = first?.personId === undefined ? undefined : spenderOf({ accountId, personId: first.personId })
  const left = spender === undefined ? undefined : books.spendingLeft?.get(spender)
  if (spender === undefined || left === undefined || cost === 0) return undefined
  if (cost > left) return refusals.spendingLimit(formatGhs(pesewas(left)))
  books.spendingLeft?.set(spender, left - cost)
  return undefined
}

function sumOfPrices(orders: readonly Order[]): number {
  return orders.reduce((sum, order) => sum + order.price, 0)
}
