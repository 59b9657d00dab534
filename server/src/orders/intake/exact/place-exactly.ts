import type { Logger } from 'pino'
import { payingPurse, type WalletKey, type WalletState, walletId, walletKeyOf } from '../../../money/wallets.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { classifyDatabaseError, provesRollback } from '../../../platform/database/database-errors.ts'
import { workInHalves } from '../../../platform/gathering/create-batcher.ts'
import type { OrderItem } from '../../order-kind.ts'
import { readSpendingLimits, recordSpending, type Spender } from '../../spending/spending-limits.ts'
import { decideCalls, type IntakeFacts } from '../decide-calls.ts'
import { type CallOutcome, type OrderCall, type OrderKinds, tooBusy, type WaitingCall } from '../place-orders.ts'
import type { RememberedFacts } from '../remembered/remembered-facts.ts'
import { openBatch, readRepeats, releaseReferences, sharedItems } from './open-batch.ts'
import { writeAccountReferences, writeNewOrders, writePurchasers } from './write-new-orders.ts'

/** `wallet_busy`: another transaction holds the wallet. Nothing was done for the call. */
export type BatchOutcome = CallOutcome | 'wallet_busy'

/** The result of a batch. It counts once the transaction has committed. */
export type ExactBatch = {
  readonly outcomes: BatchOutcome[]
  /** The wallets that pay in pesewas, after the batch, by account. */
  readonly mainWallets: ReadonlyMap<string, WalletState>
}

/**
 * The pause before the next try when the database does not answer, or when another transaction holds a stock or a reference.
 */
const recoveryPauseMilliseconds = 100

/** How many times a batch is tried again after the database rolled it back. */
const serializationFailuresMax = 2

export type RetryDeps = { readonly db: Db; readonly kinds: OrderKinds; readonly facts: RememberedFacts; readonly log: Logger }

/**
 * Places a batch by `placeExactly` and answers its callers. When the transaction fails for an unexpected reason, the batch is
 * split into halves that are placed separately, until the call that causes the failure is alone.
 * @returns the calls with a busy wallet, to be tried again
 */
export async function placeWithRetries(deps: RetryDeps, batch: readonly WaitingCall[]): Promise<WaitingCall[]> {
  const busy: WaitingCall[] = []
  await workInHalves(batch, {
    work: async (part) => {
      for (const waitingCall of part) if (!waitingCall.isInTime()) waitingCall.answer(tooBusy)
      busy.push(...(await placeUntilAnswered(deps, part)))
    },
    giveUp: (part, error) => {
      for (const waitingCall of part) waitingCall.fail(error instanceof Error ? error : new Error(String(error)))
    },
  })
  return busy
}

/**
 * Runs the batch until every caller is answered or waits for a busy wallet. After a lost connection the batch runs again.
 * That is safe: the orders had their ids before the first try, so committed orders are recognised as this call's own, and
 * the wallet's lock is free only when the lost transaction has ended.
 * @throws an unexpected error
 */
async function placeUntilAnswered(deps: RetryDeps, batch: readonly WaitingCall[]): Promise<WaitingCall[]> {
  const { log } = deps
  let failures = 0
  let lastError: unknown
  for (;;) {
    const calls = batch.filter((waitingCall) => !waitingCall.isAnswered())
    if (calls.length === 0) break
    try {
      const outcomes = await placeOnce(deps, calls)
      return answerCalls(calls, outcomes)
    } catch (error) {
      const kind = classifyDatabaseError(error)
      lastError = error
      if (kind === 'connection_lost' || kind === 'lock_not_available') {
        await pause(recoveryPauseMilliseconds)
      } else if (kind === 'serialization') {
        failures += 1
        log.warn({ err: error }, 'a batch of orders was rolled back by the database and is placed again')
        if (failures > serializationFailuresMax) for (const waitingCall of calls) waitingCall.answer(tooBusy)
      } else if (kind === 'no_partition') {
        log.error({ err: error }, 'the tables have no partition for the month of these orders; `makola migrate` makes it')
        for (const waitingCall of calls) waitingCall.answer(tooBusy)
      } else if (error instanceof AnsweredMeanwhileError) {
        log.warn({ orderIds: error.orderIds }, 'orders were rolled back, because their callers had been told to come back')
      } else {
        if (batch.length > 1) log.error({ err: error }, 'a batch of orders failed; it is split to find the cause')
        throw error
      }
    }
  }
  if (lastError !== undefined) log.error({ err: lastError }, 'orders could not be placed')
  return []
}

/** A caller was answered before its orders were committed, so they must not be committed now. */
class AnsweredMeanwhileError extends Error {
  override name = 'AnsweredMeanwhileError'
  readonly orderIds: readonly string[]
  constructor(calls: readonly WaitingCall[]) {
    super('a caller was answered before the commit')
    this.orderIds = calls.flatMap(({ call }) => call.items.map((item) => item.orderId))
  }
}

/**
 * Runs the batch in one transaction. From shortly before COMMIT is sent until it is answered, the calls that get orders are in
 * doubt.
 */
async function placeOnce({ db, kinds, facts }: RetryDeps, calls: readonly WaitingCall[]): Promise<BatchOutcome[]> {
  let committed: WaitingCall[] = []
  try {
    const { outcomes, mainWallets } = await db.transaction().execute(async (tx) => {
      const placed = await placeExactly(
        tx,
        calls.map(({ call }) => call),
        kinds,
      )
      const answered = calls.filter((waitingCall) => waitingCall.isAnswered())
      if (answered.length > 0) throw new AnsweredMeanwhileError(answered)
      committed = calls.filter((waitingCall, index) => isPlaced(placed.outcomes[index]) && !waitingCall.isInDoubt)
      for (const waitingCall of committed) waitingCall.isInDoubt = true
      return placed
    })
    for (const [accountId, wallet] of mainWallets) facts.wallets.set(accountId, wallet)
    return outcomes
  } catch (error) {
    if (provesRollback(error)) for (const waitingCall of committed) waitingCall.isInDoubt = false
    throw error
  }
}

function isPlaced(outcome: BatchOutcome | undefined): boolean {
  return typeof outcome === 'object' && 'placements' in outcome
}

/** @returns the calls whose wallet is busy; all others are answered */
function answerCalls(calls: readonly WaitingCall[], outcomes: readonly BatchOutcome[]): WaitingCall[] {
  return calls.filter((waitingCall, index) => {
    const outcome = outcomes[index] as BatchOutcome
    if (outcome === 'wallet_busy') return true
    waitingCall.answer(outcome)
    return false
  })
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

/**
 * Places a batch of calls in one transaction: locks the wallets, reserves the references, reads the facts, decides, writes. It
 * relies on nothing in memory, so it takes every call that `placeRemembered` cannot decide, such as calls of kinds that count a
 * stock down, calls in doubt, and calls after a failure. Both functions give the same outcomes.
 */
export async function placeExactly(tx: Tx, calls: readonly OrderCall[], kinds: OrderKinds): Promise<ExactBatch> {
  const asked = calls.flatMap((call) => call.items)
  const opened = await openBatch(tx, payingWallets(calls, kinds), accountsOf(asked), sharedItems(asked))
  // Calls whose wallet is busy are left out. Their references are released below, like all others that get no order.
  const reachable = calls.filter((call) => payingWallets([call], kinds).every((key) => opened.wallets.has(walletId(key))))
  const items = reachable.flatMap((call) => call.items)
  const limits = await readSpendingLimits(tx, spendersOf(reachable), opened.now)
  const facts: IntakeFacts = {
    ...opened,
    ...(await readRepeats(tx, items, opened.taken)),
    ...(limits.size > 0 && { spendingLeft: new Map(limits) }),
    reads: new Map(),
  }
  for (const [kind, ofKind] of groupByKind(items)) {
    facts.reads.set(kind, await kinds.get(kind)?.read(tx, ofKind, facts.catalogueVersion))
  }

  const { outcomes, newOrders } = decideCalls(reachable, facts, kinds)
  await releaseReferences(tx, opened, newOrders)
  await writeAccountReferences(
    tx,
    newOrders.map((newOrder) => newOrder.item),
  )
  await writeNewOrders(tx, newOrders, opened.now)
  if (facts.spendingLeft) await recordSpending(tx, limits, facts.spendingLeft, opened.now)
  await writePurchasers(
    tx,
    newOrders.map((newOrder) => newOrder.item),
  )
  for (const [kind, ofKind] of groupByKind(newOrders.map((newOrder) => newOrder.item))) {
    await kinds.get(kind)?.write(tx, ofKind, facts.reads.get(kind))
  }
  const outcomeOf = new Map(reachable.map((call, index) => [call, outcomes[index] as CallOutcome]))
  return { outcomes: calls.map((call) => outcomeOf.get(call) ?? 'wallet_busy'), mainWallets: mainWalletsOf(facts) }
}

function spendersOf(calls: readonly OrderCall[]): Spender[] {
  return calls.flatMap(({ accountId, items: [first] }) =>
    first?.personId === undefined ? [] : [{ accountId, personId: first.personId }],
  )
}

function mainWalletsOf({ wallets }: IntakeFacts): Map<string, WalletState> {
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
