import type { Logger } from 'pino'
import type { Db } from '../../../platform/database/database.ts'
import { classifyDatabaseError, provesRollback } from '../../../platform/database/database-errors.ts'
import { workApart } from '../../../platform/gathering/gather.ts'
import type { OrderKinds } from '../books.ts'
import type { RememberedBooks } from '../remembered/remembered-books.ts'
import { tooBusy, type WaitingCall } from '../waiting-call.ts'
import { type BatchOutcome, placeExactly } from './place-exactly.ts'

/** The pause before the next try when the database does not answer, or when another transaction holds a stock. */
const recoveryPauseMilliseconds = 100

/** How many times a batch is tried again after the database rolled it back. */
const serializationFailuresMax = 2

export type RetryDeps = { readonly db: Db; readonly kinds: OrderKinds; readonly books: RememberedBooks; readonly log: Logger }

/**
 * Places a batch by `placeExactly` and answers its callers. When the transaction fails for an unexpected reason, the batch is
 * split into halves that are placed separately, until the call that causes the failure is alone.
 * @returns the calls with a busy wallet, to be tried again
 */
export async function placeWithRetries(deps: RetryDeps, batch: readonly WaitingCall[]): Promise<WaitingCall[]> {
  const busy: WaitingCall[] = []
  await workApart(batch, {
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
      } else if (kind === 'no_part') {
        log.error({ err: error }, 'orders have no part of the tables for their month; `makola migrate` makes it')
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
 * Runs the batch in one transaction. From the moment COMMIT is sent until it is answered, the calls of the batch are in
 * doubt.
 */
async function placeOnce({ db, kinds, books }: RetryDeps, calls: readonly WaitingCall[]): Promise<BatchOutcome[]> {
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
    for (const [accountId, wallet] of mainWallets) books.wallets.set(accountId, wallet)
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
