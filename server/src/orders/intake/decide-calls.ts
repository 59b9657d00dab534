import type { Role } from '../../accounts/caller.ts'
import { amountIn, formatAmount } from '../../money/amount.ts'
import { formatGhs, pesewas } from '../../money/pesewas.ts'
import { type PostedTransfer, postTransfer } from '../../money/post-transfer.ts'
import { payingPurse, salesPurse, type WalletStates, walletId } from '../../money/wallets.ts'
import { type Refusal, refusals } from '../../platform/http/refusals.ts'
import type { Order } from '../order.ts'
import type { AccountFacts, OrderItem, OrderKind } from '../order-kind.ts'
import { spenderOf } from '../spending/spending-limits.ts'
import {
  type CallOutcome,
  type KeyFingerprint,
  type OrderCall,
  type OrderKinds,
  type Placement,
  repeatKeyOf,
  type SkippedItem,
} from './place-orders.ts'

/** The order that has a reference, and the fingerprint of its request. */
export type TakenReference = {
  readonly orderId: string
  readonly accountId: string
  readonly kind: string
  /** In hexadecimal (`hashRequest`). Once the order's recipient was forgotten: the keyed hash of that value. */
  readonly fingerprint: string
}

/**
 * Everything that `decideCalls` needs for one batch: read under the batch's locks, or remembered and compared when the batch is
 * written. Apart from those in `reads`, the values in the maps are never changed in place, so a fork copies only the maps.
 */
export type IntakeFacts = {
  readonly now: Date
  readonly catalogueVersion: number
  readonly accounts: ReadonlyMap<string, AccountFacts>
  wallets: WalletStates
  /** The taken references, by `repeatKeyOf`: of earlier orders, and of this batch so far. */
  references: Map<string, TakenReference>
  /**
   * The orders that hold the references in `references`, the orders that this batch placed in a COMMIT whose answer was lost,
   * and the orders placed in this batch so far.
   */
  orders: Map<string, Order>
  /** Pesewas that each person may still spend today, by `spenderOf`. Absent: no buyer in the batch has a spending limit. */
  spendingLeft?: Map<string, number>
  /** The result of each kind's `read`. */
  reads: Map<string, unknown>
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
 * Of the refusals of a call's items, the caller gets the one whose status is first in this list (decision A4: the order of
 * checks). A taken reference comes before all of these, missing money and a used-up spending limit after them.
 */
const refusalRank = [503, 400, 404, 409, 403] as const

type Draft = { placement: Placement; newOrder?: Omit<NewOrder, 'debit'> }

/**
 * Decides a batch of calls in the order in which they arrived. Pure: it changes only `facts`, in memory, and what it returns.
 * Each guarantee of the intake comes from a lock or from this function.
 */
export function decideCalls(calls: readonly OrderCall[], facts: IntakeFacts, kinds: OrderKinds): BatchDecision {
  const newOrders: NewOrder[] = []
  const outcomes = calls.map((call) => {
    const fork = call.items.length === 1 ? forkReads(facts, kinds) : forkFacts(facts, kinds)
    const outcome = decideCall(call, fork, kinds, newOrders)
    if (!('refusal' in outcome)) mergeFacts(facts, fork)
    return outcome
  })
  return { outcomes, newOrders }
}

function decideCall(call: OrderCall, facts: IntakeFacts, kinds: OrderKinds, newOrders: NewOrder[]): CallOutcome {
  const conflictAt = call.items.findIndex((item) => isConflict(item, findReferenceHolder(item, facts), call.keyFingerprint))
  if (conflictAt >= 0) return { refusal: refusals.referenceTaken, itemIndex: conflictAt }

  const drafts: Draft[] = []
  const refused: { refusal: Refusal; itemIndex: number }[] = []
  const skipped: SkippedItem[] = []
  for (const [itemIndex, item] of call.items.entries()) {
    const drafted = draftItem(item, facts, kindOf(item, kinds))
    if ('refusal' in drafted) refused.push({ ...drafted, itemIndex })
    else if ('skipped' in drafted) skipped.push({ refusal: drafted.skipped, itemIndex })
    else drafts.push(drafted)
  }
  const first = refused.toSorted((a, b) => rankOf(a.refusal) - rankOf(b.refusal))[0]
  if (first) return first
  const paid = payForDrafts(call, drafts, facts, kinds, newOrders)
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
function findReferenceHolder(item: OrderItem, facts: IntakeFacts): TakenReference | undefined {
  const key = repeatKeyOf(item)
  return key === undefined ? undefined : facts.references.get(key)
}

function isConflict(item: OrderItem, holder: TakenReference | undefined, keyFingerprint: KeyFingerprint | undefined): boolean {
  if (!holder || holder.orderId === item.orderId) return false
  if (holder.accountId !== item.accountId || holder.kind !== item.kind) return true
  return holder.fingerprint !== item.fingerprint && holder.fingerprint !== keyFingerprint?.(item.fingerprint)
}

/**
 * Decides everything about one item except the money. If an order with this id exists already, an earlier COMMIT of
 * this call succeeded although its answer was lost: it is the call's own order and not a replay.
 */
function draftItem(item: OrderItem, facts: IntakeFacts, kind: OrderKind): Draft | { refusal: Refusal } | { skipped: Refusal } {
  const own = facts.orders.get(item.orderId)
  if (own) return { placement: { order: own, isReplay: false } }
  const holder = findReferenceHolder(item, facts)
  if (holder) {
    const order = facts.orders.get(holder.orderId)
    if (!order) throw new Error(`reference ${item.reference} names order ${holder.orderId}, which does not exist`)
    return { placement: { order, isReplay: true } }
  }
  const account = facts.accounts.get(item.accountId)
  if (!account || account.isSuspended) return { refusal: refusals.accountSuspended }
  const read = facts.reads.get(kind.name)
  const decision = kind.decide(item, { now: facts.now, account, catalogueVersion: facts.catalogueVersion }, read)
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
    createdAt: facts.now,
    updatedAt: facts.now,
  }
  return { placement: { order, isReplay: false }, newOrder: { item, order, route: decision.route, role: account.pricingRole } }
}

type Paid = Extract<CallOutcome, { refusal: Refusal }> | Omit<Extract<CallOutcome, { balance: number }>, 'skipped'>

function payForDrafts(
  call: OrderCall,
  drafts: readonly Draft[],
  facts: IntakeFacts,
  kinds: OrderKinds,
  newOrders: NewOrder[],
): Paid {
  const kind = kindOf(call.items[0] as OrderItem, kinds)
  const purse = payingPurse(kind.unit)
  const paying = walletId({ accountId: call.accountId, purse })
  const wallet = facts.wallets.get(paying)
  if (!wallet) throw new Error(`wallet ${paying} is not locked here`)
  const wanted = drafts.flatMap((draft) => draft.newOrder ?? [])
  const cost = sumOfPrices(wanted.map((newOrder) => newOrder.order))
  if (cost > wallet.balance) return { refusal: kind.insufficientFunds }
  const overLimit = kind.unit === 'pesewas' ? takeFromLimit(call, cost, facts) : undefined
  if (overLimit) return { refusal: overLimit }
  for (const newOrder of wanted) {
    const { item, order } = newOrder
    const debit = postTransfer(facts.wallets, {
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
      facts.references.set(key, { orderId, accountId, kind: orderKind, fingerprint: item.fingerprint })
    }
    facts.orders.set(order.id, order)
    newOrders.push({ ...newOrder, debit })
  }
  const placements = drafts.map((draft) => draft.placement)
  return {
    placements,
    // Includes orders that this call placed in an earlier run whose answer was lost.
    charged: sumOfPrices(placements.flatMap(({ order, isReplay }) => (isReplay ? [] : order))),
    balance: facts.wallets.get(paying)?.balance ?? wallet.balance,
  }
}

/**
 * Takes a cost from what the purchasing person may spend today. Called last, when nothing else can refuse the call.
 * @returns the refusal when the person may not spend so much
 */
function takeFromLimit({ accountId, items: [first] }: OrderCall, cost: number, facts: IntakeFacts): Refusal | undefined {
  const spender = first?.personId === undefined ? undefined : spenderOf({ accountId, personId: first.personId })
  const left = spender === undefined ? undefined : facts.spendingLeft?.get(spender)
  if (spender === undefined || left === undefined || cost === 0) return undefined
  if (cost > left) return refusals.spendingLimit(formatGhs(pesewas(left)))
  facts.spendingLeft?.set(spender, left - cost)
  return undefined
}

function sumOfPrices(orders: readonly Order[]): number {
  return orders.reduce((sum, order) => sum + order.price, 0)
}

/**
 * A cheap copy for trying a single order. Such a call cannot fail after it has paid, so only `reads`, where the kinds count
 * down, is copied.
 */
function forkReads(facts: IntakeFacts, kinds: OrderKinds): IntakeFacts {
  const reads = new Map<string, unknown>()
  for (const [name, read] of facts.reads) reads.set(name, kinds.get(name)?.fork(read))
  return { ...facts, reads }
}

/** A full copy for trying a call of several orders, which succeed or fail together. */
function forkFacts(facts: IntakeFacts, kinds: OrderKinds): IntakeFacts {
  return {
    ...forkReads(facts, kinds),
    wallets: new Map(facts.wallets),
    ...(facts.spendingLeft && { spendingLeft: new Map(facts.spendingLeft) }),
    references: new Map(facts.references),
    orders: new Map(facts.orders),
  }
}

/** Takes over the result of a try on a copy. */
function mergeFacts(facts: IntakeFacts, fork: IntakeFacts): void {
  facts.wallets = fork.wallets
  facts.references = fork.references
  if (fork.spendingLeft) facts.spendingLeft = fork.spendingLeft
  facts.orders = fork.orders
  facts.reads = fork.reads
}
