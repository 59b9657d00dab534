import type { Logger } from 'pino'
import type { WalletStates } from '../../../money/wallets.ts'
import type { Db } from '../../../platform/database/database.ts'
import { provesRollback } from '../../../platform/database/database-errors.ts'
import type { OrderItem } from '../../order-kind.ts'
import { decideCalls, type IntakeFacts } from '../decide-calls.ts'
import { type CallOutcome, type OrderCall, type OrderKinds, sharedKeyOf, tooBusy, type WaitingCall } from '../place-orders.ts'
import {
  type AccountInBatch,
  correctRememberedFacts,
  type DecidedBatch,
  findRemembered,
  mainWalletId,
  type ReferenceHolders,
  type RememberedEpoch,
  type RememberedFacts,
  readHolders,
  readMissingFacts,
  type WrittenBatch,
  writeBatch,
} from './remembered-facts.ts'

/*
 * Decides a batch on facts in memory (the remembered facts), then writes it by one call to the database (`write_batch`). The
 * call compares these facts with the present ones, and writes only the accounts whose facts still hold. The call is one
 * whole transaction: once it is answered, its rows are committed.
 *
 * Compared                                   | when it differs
 * that PostgreSQL was not restarted; the     | nothing is written; accounts are read again, and the batch is decided
 * epoch (accounts, prices, settings); that   | again
 * no role has expired by the database's clock|
 * each wallet's balance and last entry       | nothing is written for its account; the answer has the present wallet,
 * number, while it is locked, also of a      | and the account's calls are decided again
 * wallet whose calls were all refused        |
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
 * change only by an answer of the database. When an answer is lost, the wallets are forgotten, and `placeExactly` reads
 * everything under locks and finds committed orders by their ids.
 */

/** How many times an account's calls are decided from memory before they go to `placeExactly`. */
const roundsMax = 3

export type RememberedDeps = {
  readonly db: Db
  readonly kinds: OrderKinds
  readonly facts: RememberedFacts
  readonly log: Pick<Logger, 'warn'>
  /** Called when the database has lost entries of a remembered wallet: its history went back. */
  readonly onLostEntries?: ((reason: string) => void) | undefined
}

/** The calls that a batch did not place, for `placeExactly`; nothing was committed for them, unless they are in doubt. */
export type UnplacedCalls = {
  /**
   * In the order of the batch: calls that cannot be decided from memory, or were decided in vain `roundsMax` times. After a
   * failure: all that have no answer.
   */
  readonly atOnce: readonly WaitingCall[]
  /** Calls whose wallet another transaction has locked. */
  readonly afterRest: readonly WaitingCall[]
}

/** True when a call can be decided from memory, as far as its items show. */
export function canDecideFromMemory({ items }: OrderCall, kinds: OrderKinds): boolean {
  return items.every(({ personId, repeatKey, kind }) => {
    const { unit, fromMemory } = kinds.get(kind) ?? {}
    return personId === undefined && repeatKey === undefined && unit === 'pesewas' && fromMemory !== undefined
  })
}

/**
 * Decides a batch of calls from memory, writes it, and answers the placed and the refused calls. `canDecideFromMemory` holds for each.
 * A call that was answered meanwhile, because its time was over, is not placed any more.
 */
export async function placeRemembered(deps: RememberedDeps, batch: readonly WaitingCall[]): Promise<UnplacedCalls> {
  for (const waitingCall of batch) if (!waitingCall.isInTime()) waitingCall.answer(tooBusy)
  try {
    return await placeInRounds(deps, batch.filter(isWaiting))
  } catch (error) {
    deps.log.warn({ err: error }, 'a batch on remembered facts failed; its calls are placed the exact way')
    for (const { call } of batch) deps.facts.wallets.delete(call.accountId)
    return { atOnce: batch.filter(isWaiting), afterRest: [] }
  }
}

const isWaiting = (waitingCall: WaitingCall) => !waitingCall.isAnswered()

async function placeInRounds(deps: RememberedDeps, batch: readonly WaitingCall[]): Promise<UnplacedCalls> {
  const { db, facts } = deps
  const busy: WaitingCall[] = []
  const unfit: WaitingCall[] = []
  let holders: ReferenceHolders = { references: new Map(), orders: new Map() }
  let pending = batch
  for (let round = 0; round < roundsMax && pending.length > 0; round += 1) {
    await readMissingFacts(db, facts, [...new Set(pending.map(({ call }) => call.accountId))])
    const { epoch } = facts
    // Another batch has just found that the epoch has moved, so this one reads again.
    if (!epoch) continue
    const fit = chooseFit(deps, epoch, pending.filter(isWaiting))
    unfit.push(...fit.others)
    if (fit.calls.length === 0) return { atOnce: inOrderOf(batch, unfit), afterRest: busy }
    const decided = decideBatch(deps, fit, holders)
    const written = await writeInDoubt(db, fit.calls, decided)
    reportLostEntries(deps, written)
    const missed = correctRememberedFacts(facts, decided, written)
    answerWritten(fit.calls, decided, written.clock, missed)
    const isBusy = ({ call }: WaitingCall) => written.busy.includes(call.accountId)
    const left = fit.calls.filter(({ call }) => missed.has(call.accountId))
    busy.push(...left.filter(isBusy))
    pending = left.filter((waitingCall) => !isBusy(waitingCall))
    if (written.taken.length > 0) holders = await readHolders(db, written.taken, holders)
  }
  return { atOnce: inOrderOf(batch, [...unfit, ...pending]), afterRest: busy }
}

/** Writes a batch. From its send to its answer, the calls that it places are in doubt. */
async function writeInDoubt(db: Db, calls: readonly WaitingCall[], decided: Decided): Promise<WrittenBatch> {
  const placing = calls.filter((_, index) => 'placements' in (decided.outcomes[index] as CallOutcome))
  const setDoubt = (isInDoubt: boolean): void => {
    for (const waitingCall of placing) waitingCall.isInDoubt = isInDoubt
  }
  setDoubt(true)
  try {
    const written = await writeBatch(db, decided)
    setDoubt(false)
    return written
  } catch (error) {
    if (provesRollback(error)) setDoubt(false)
    throw error
  }
}

/**
 * The chosen calls in the order of the batch, so that a call that was decided in vain comes before the later calls of its
 * account.
 */
function inOrderOf(calls: readonly WaitingCall[], chosen: readonly WaitingCall[]): WaitingCall[] {
  const wanted = new Set(chosen)
  return wanted.size === 0 ? [] : calls.filter((call) => wanted.has(call))
}

type FitCalls = {
  readonly calls: readonly WaitingCall[]
  readonly accounts: ReadonlyMap<string, AccountInBatch>
  readonly epoch: RememberedEpoch
  readonly others: readonly WaitingCall[]
}

const severalAccounts = 'several'

/**
 * Chooses the calls that can be decided from memory now; the others go to `placeExactly`. After a call that is left out, the
 * later calls of its account are left out too, so that both ways together keep the order of the calls. A call is also left out
 * when an earlier call of another account uses one of its references: that call's outcome decides who gets the reference.
 */
function chooseFit({ facts, kinds }: RememberedDeps, epoch: RememberedEpoch, calls: readonly WaitingCall[]): FitCalls {
  const accounts = new Map<string, AccountInBatch>()
  const unfitAccounts = new Set<string>()
  const accountByReference = new Map<string, string>()
  const isFit = ({ call: { accountId, items } }: WaitingCall): boolean => {
    const account = accounts.get(accountId) ?? findRemembered(facts, accountId)
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
  const { fit = [], others = [] } = Object.groupBy(calls, (waitingCall) => (isFit(waitingCall) ? 'fit' : 'others'))
  return { calls: fit, accounts, epoch, others }
}

type Decided = DecidedBatch & {
  /** In the order of the calls. */
  readonly outcomes: readonly CallOutcome[]
  /** The time of the new orders until the database has answered with its own. */
  readonly now: Date
}

function decideBatch({ kinds, facts }: RememberedDeps, fit: FitCalls, holders: ReferenceHolders): Decided {
  const { accounts, epoch } = fit
  const calls = fit.calls.map(({ call }) => call)
  const now = new Date(facts.clock)
  const wallets: WalletStates = new Map([...accounts].map(([id, { wallet }]) => [mainWalletId(id), wallet]))
  const used: IntakeFacts = {
    now,
    catalogueVersion: epoch.catalogueVersion,
    accounts: new Map([...accounts].map(([id, { facts }]) => [id, facts])),
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
    outcomes,
    now,
  }
}

/** Reads only the kinds in these calls, because the values are copied for each call. */
function readKinds(kinds: OrderKinds, calls: readonly OrderCall[]): Map<string, unknown> {
  const names = new Set(calls.flatMap(({ items }) => items.map(({ kind }) => kind)))
  return new Map([...names].map((name) => [name, kinds.get(name)?.fromMemory?.read()]))
}

/** The items of a call that got no order, apart from those whose reference was already taken. */
function refusedItems({ items }: OrderCall, outcome: CallOutcome, { references }: IntakeFacts): OrderItem[] {
  if (!('refusal' in outcome) && outcome.skipped.length === 0) return []
  return items.filter(({ reference }) => !references.has(sharedKeyOf(reference)))
}

/**
 * The number of a wallet's last entry only grows. A lower one than in an earlier answer proves that the database has lost
 * commits, for example because an old copy of it was started. Sales then stop: the next round of the batch gets no connection.
 */
function reportLostEntries({ facts, onLostEntries }: RememberedDeps, { stale }: WrittenBatch): void {
  for (const [accountId, { lastEntryNo }] of stale) {
    const known = facts.wallets.get(accountId)
    if (known && lastEntryNo < known.lastEntryNo) {
      onLostEntries?.(`the wallet of account ${accountId} had ${known.lastEntryNo} entries and has ${lastEntryNo}`)
    }
  }
}

/** Answers the calls of the accounts that the database has written, or had nothing to write for. */
function answerWritten(
  calls: readonly WaitingCall[],
  { outcomes, now }: Decided,
  clock: Date,
  missed: ReadonlySet<string>,
): void {
  for (const [index, waitingCall] of calls.entries()) {
    if (!missed.has(waitingCall.call.accountId)) waitingCall.answer(stampNewOrders(outcomes[index] as CallOutcome, now, clock))
  }
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
