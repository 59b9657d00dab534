import type { WalletBooks } from '../../../money/wallets.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { OrderItem } from '../../order-kind.ts'
import type { Books, OrderCall, OrderKinds } from '../books.ts'
import { type CallOutcome, decideCalls } from '../decide-calls.ts'
import { sharedKeyOf } from '../repeat-key.ts'
import { type Holders, readHolders } from './read-holders.ts'
import {
  type AccountInBatch,
  findRemembered,
  forgetEpoch,
  mainWalletId,
  type RememberedBooks,
  type RememberedEpoch,
  readUnknown,
} from './remembered-books.ts'
import { type DecidedBatch, type WrittenBatch, writeBatch } from './write-batch.ts'

/*
 * Decides a batch on facts in memory (the remembered books), then writes it by one call to the database (`write_batch`). The
 * call compares these facts with the present ones, and writes only the accounts whose facts still hold. It is its own
 * transaction, and its answer is the answer to a COMMIT.
 *
 * Compared                                   | when it differs
 * the server, the epoch (accounts, prices,   | nothing is written; accounts are read again, and the batch is decided
 * settings), the earliest expiry of a role   | again
 * by the database's clock                    |
 * each wallet's balance and last entry       | nothing is written for its account; the answer has the present wallet,
 * number, under its lock, also where every   | and the account's calls are decided again
 * call of the account was refused            |
 * each reference of the shared name space,   | nothing is written for its account; the holders are read, and the
 * by inserting it; that of a refused item,   | account's calls are decided again
 * by looking for it                          |
 *
 * Written, for each account all or nothing: references, orders, places in the schedule, debits, wallets.
 *
 * Each race is decided in one place. Two purchases from one wallet, or a purchase and a refund: at the wallet's lock. Two
 * purchases with one reference: at the key of `order_references`, where the second waits for the end of the first. A purchase
 * and a change of an account or a price: at the one row of `cache_epoch`; a change committed before the call began holds.
 *
 * No batch waits for a busy wallet: the wallet's calls are returned as busy, and all others are written. The facts in memory
 * change only by an answer of the database. When an answer is lost, `forgetWallets` is called, and `placeExactly` reads
 * everything under locks and finds committed orders by their ids.
 */

/** How many times an account's calls are decided from memory before they go to `placeExactly`. */
const roundsMax = 3

export type BatchDeps = {
  readonly db: Db
  readonly kinds: OrderKinds
  readonly books: RememberedBooks
  /** Called when the database has lost entries of a remembered wallet: its history went back. */
  readonly onLostEntries?: ((reason: string) => void) | undefined
}

/** Called while a batch is placed. */
export type BatchListener = {
  /** False once the caller has been answered. Such a call is not placed any more. */
  readonly isWaiting: (call: OrderCall) => boolean
  /** These calls are about to be sent to the database. Until it answers, nobody knows whether they are committed. */
  readonly onSent: (placing: readonly OrderCall[]) => void
  /** The database has answered: these calls have their outcome. The other calls that were sent are not committed. */
  readonly onAnswered: (outcomes: ReadonlyMap<OrderCall, CallOutcome>) => void
}

/** The calls that a batch did not place; nothing was committed for them. */
export type LeftCalls = {
  /** Calls whose wallet another transaction has locked. */
  readonly busy: readonly OrderCall[]
  /** Calls that cannot be decided from memory, in the order of the batch. */
  readonly unfit: readonly OrderCall[]
}

/** True when a call can be decided from memory, as far as its items show. */
export function isForMemory({ items }: OrderCall, kinds: OrderKinds): boolean {
  return items.every(({ personId, repeatKey, kind }) => {
    const { unit, fromMemory } = kinds.get(kind) ?? {}
    return personId === undefined && repeatKey === undefined && unit === 'pesewas' && fromMemory !== undefined
  })
}

/**
 * Places a batch of calls for which `isForMemory` holds.
 * @throws the database's error; calls that were sent and not answered may then be committed, unless `provesRollback` says
 * otherwise
 */
export async function placeBatch(deps: BatchDeps, calls: readonly OrderCall[], listener: BatchListener): Promise<LeftCalls> {
  const { db, books } = deps
  const busy: OrderCall[] = []
  const unfit: OrderCall[] = []
  let holders: Holders = { references: new Map(), orders: new Map() }
  let pending = calls
  for (let round = 0; round < roundsMax && pending.length > 0; round += 1) {
    await readUnknown(db, books, [...new Set(pending.map(({ accountId }) => accountId))])
    const { epoch } = books
    // Another batch has just found that the epoch has moved, so this one reads again.
    if (!epoch) continue
    const fit = chooseFit(deps, epoch, pending.filter(listener.isWaiting))
    unfit.push(...fit.others)
    if (fit.calls.length === 0) return { busy, unfit: inOrderOf(calls, unfit) }
    const decided = decideBatch(deps, fit, holders)
    listener.onSent(fit.calls.filter((call) => 'placements' in (decided.outcomes.get(call) as CallOutcome)))
    const written = await writeBatch(db, decided)
    reportLostEntries(deps, written)
    listener.onAnswered(learn(books, fit.calls, decided, written))
    busy.push(...ofAccounts(fit.calls, written.busy))
    pending = written.isCurrent ? ofAccounts(fit.calls, accountsToDecideAgain(written)) : fit.calls
    if (written.taken.length > 0) holders = await readHolders(db, written.taken, holders)
  }
  return { busy, unfit: inOrderOf(calls, [...unfit, ...pending]) }
}

/**
 * The chosen calls in the order of the batch, so that a call that was decided in vain comes before the later calls of its
 * account.
 */
function inOrderOf(calls: readonly OrderCall[], chosen: readonly OrderCall[]): OrderCall[] {
  const wanted = new Set(chosen)
  return wanted.size === 0 ? [] : calls.filter((call) => wanted.has(call))
}

/** Forgets the wallets of calls whose answer was lost. */
export function forgetWallets(books: RememberedBooks, calls: readonly OrderCall[]): void {
  for (const { accountId } of calls) books.wallets.delete(accountId)
}

type FitCalls = {
  readonly calls: readonly OrderCall[]
  readonly accounts: ReadonlyMap<string, AccountInBatch>
  readonly epoch: RememberedEpoch
  readonly others: readonly OrderCall[]
}

const severalAccounts = 'several'

/**
 * Chooses the calls that can be decided from memory now; the others go to `placeExactly`. After a call that is left out, the
 * later calls of its account are left out too, so that both ways together keep the order of the calls. A call is also left out
 * when another account's call before it asks for one of its references, because the holder depends on the outcome of that call.
 */
function chooseFit({ books, kinds }: BatchDeps, epoch: RememberedEpoch, calls: readonly OrderCall[]): FitCalls {
  const accounts = new Map<string, AccountInBatch>()
  const unfitAccounts = new Set<string>()
  const accountByReference = new Map<string, string>()
  const isFit = ({ accountId, items }: OrderCall): boolean => {
    const account = accounts.get(accountId) ?? findRemembered(books, accountId)
    let isEnough = account !== undefined && !unfitAccounts.has(accountId)
    for (const { reference } of items) {
      const isAlone = (accountByReference.get(reference) ?? accountId) === accountId
      accountByReference.set(reference, isAlone ? accountId : severalAccounts)
      isEnough &&= isAlone
    }
    isEnough &&= items.every((item) => kinds.get(item.kind)?.fromMemory?.suffices(item, epoch.catalogueVersion) === true)
    if (isEnough && account) accounts.set(accountId, account)
    else unfitAccounts.add(accountId)
    return isEnough
  }
  const { fit = [], others = [] } = Object.groupBy(calls, (call) => (isFit(call) ? 'fit' : 'others'))
  return { calls: fit, accounts, epoch, others }
}

type Decided = DecidedBatch & {
  readonly outcomes: ReadonlyMap<OrderCall, CallOutcome>
  /** The time of the new orders until the database has answered with its own. */
  readonly now: Date
}

function decideBatch({ kinds, books }: BatchDeps, { calls, accounts, epoch }: FitCalls, holders: Holders): Decided {
  const now = new Date(books.clock)
  const wallets: WalletBooks = new Map([...accounts].map(([id, { wallet }]) => [mainWalletId(id), wallet]))
  const used: Books = {
    now,
    catalogueVersion: epoch.catalogueVersion,
    accounts: new Map([...accounts].map(([id, { book }]) => [id, book])),
    wallets,
    references: new Map(holders.references),
    orders: new Map(holders.orders),
    reads: readKinds(kinds, calls),
  }
  const { outcomes, newOrders } = decideCalls(calls, used, kinds)
  const expiries = [...accounts.values()].flatMap(({ roleExpiresAt }) => roleExpiresAt ?? [])
  return {
    epoch,
    rolesHoldUntil: expiries.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null,
    wallets: [...accounts].map(([accountId, { wallet }]) => ({
      accountId,
      before: wallet,
      after: used.wallets.get(mainWalletId(accountId)) ?? wallet,
    })),
    newOrders,
    refused: calls.flatMap((call, index) => refusedItems(call, outcomes[index] as CallOutcome, used)),
    outcomes: new Map(calls.map((call, index) => [call, outcomes[index] as CallOutcome])),
    now,
  }
}

/** Reads only the kinds in these calls, because the values are copied for each call. */
function readKinds(kinds: OrderKinds, calls: readonly OrderCall[]): Map<string, unknown> {
  const names = new Set(calls.flatMap(({ items }) => items.map(({ kind }) => kind)))
  return new Map([...names].map((name) => [name, kinds.get(name)?.fromMemory?.read()]))
}

/** The items of a call that got no order, apart from those whose reference was already taken. */
function refusedItems({ items }: OrderCall, outcome: CallOutcome, { references }: Books): OrderItem[] {
  if (!('refusal' in outcome) && outcome.skipped.length === 0) return []
  return items.filter(({ reference }) => !references.has(sharedKeyOf(reference)))
}

function ofAccounts(calls: readonly OrderCall[], accountIds: Iterable<string>): OrderCall[] {
  const wanted = new Set(accountIds)
  return wanted.size === 0 ? [] : calls.filter(({ accountId }) => wanted.has(accountId))
}

function accountsToDecideAgain({ stale, taken }: WrittenBatch): Set<string> {
  return new Set([...stale.keys(), ...taken.map(({ accountId }) => accountId)])
}

/**
 * The number of a wallet's last entry only grows. A lower one than an earlier answer of the database proves that history went
 * back. The next round of the batch gets no connection then.
 */
function reportLostEntries({ books, onLostEntries }: BatchDeps, { stale }: WrittenBatch): void {
  for (const [accountId, { lastEntryNo }] of stale) {
    const known = books.wallets.get(accountId)
    if (known && lastEntryNo < known.lastEntryNo) {
      onLostEntries?.(`the wallet of account ${accountId} had ${known.lastEntryNo} entries and has ${lastEntryNo}`)
    }
  }
}

/** Updates the memory from the database's answer. Returns the outcomes that the answer confirms. */
function learn(
  books: RememberedBooks,
  calls: readonly OrderCall[],
  { wallets, outcomes, now }: Decided,
  written: WrittenBatch,
): Map<OrderCall, CallOutcome> {
  const { clock, isCurrent, stale, busy } = written
  books.clock = clock
  if (!isCurrent) {
    forgetEpoch(books)
    return new Map()
  }
  for (const [accountId, wallet] of stale) books.wallets.set(accountId, wallet)
  const missed = new Set([...accountsToDecideAgain(written), ...busy])
  for (const { accountId, after } of wallets) if (!missed.has(accountId)) books.wallets.set(accountId, after)
  return new Map(
    calls.flatMap((call) => {
      const outcome = outcomes.get(call)
      return outcome && !missed.has(call.accountId) ? [[call, stampNewOrders(outcome, now, clock)]] : []
    }),
  )
}

/** Sets the database's time on the orders that were new in this batch. */
function stampNewOrders(outcome: CallOutcome, now: Date, clock: Date): CallOutcome {
  if ('refusal' in outcome) return outcome
  const placements = outcome.placements.map((placement) => {
    const { order } = placement
    return order.createdAt === now ? { ...placement, order: { ...order, createdAt: clock, updatedAt: clock } } : placement
  })
  return { ...outcome, placements }
}
