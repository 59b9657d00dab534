import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import { classifyDatabaseError, provesRollback } from '../../platform/database/database-errors.ts'
import { gather, workApart } from '../../platform/gathering/gather.ts'
import { inTurns } from '../../platform/gathering/line.ts'
import type { OrderCall, OrderKinds } from './books.ts'
import type { CallOutcome } from './decide-calls.ts'
import type { BatchMeasure } from './measure-intake.ts'
import { type BatchOutcome, placeBatch } from './place-batch.ts'
import { tooBusy, type WaitingCall, waitWithCall } from './waiting-call.ts'

/** At most this many orders in one transaction. Larger batches take more time than they save. */
const batchOrdersMax = 256

/** At most this many orders wait in one lane; further calls are answered 503. At full speed this is about a second of work. */
const waitingOrdersMax = 8_192

/** The pause before the next try when the database does not answer, or when a wallet is locked by somebody else. */
const recoveryPauseMilliseconds = 100

/** How many times a batch is tried again after the database rolled it back. */
const serializationFailuresMax = 2

/**
 * One lane of the intake, with one connection. Calls that arrive during a transaction wait, and go together into the
 * next one.
 */
export type Lane = {
  submit(call: OrderCall): Promise<CallOutcome>
  /** Places what waits, then closes the connection. */
  close(): Promise<void>
}

/** Opens a lane over a database of one connection. Accounts take turns in it. */
export function openLane(db: Db, kinds: OrderKinds, log: Logger, onBatch?: BatchMeasure): Lane {
  const line = inTurns<WaitingCall>({
    keyOf: ({ call }) => call.accountId,
    weightOf: ({ call }) => call.items.length,
    batchWeightMax: batchOrdersMax,
  })
  let isClosing = false

  function onUnknown({ items }: OrderCall): void {
    log.error({ orderIds: items.map((item) => item.orderId) }, 'the outcome of a commit is unknown')
  }

  async function work(batch: readonly WaitingCall[]): Promise<void> {
    const orders = batch.reduce((sum, { call }) => sum + call.items.length, 0)
    const startedAt = performance.now()
    const busy = await placeWaitingCalls(db, kinds, log, batch)
    onBatch?.(orders, (performance.now() - startedAt) / 1_000)
    for (const waitingCall of busy) calls.add(waitingCall)
    // All wallets of the batch are locked by somebody else. Without this pause the loop would run without rest.
    if (busy.length > 0 && busy.length === batch.length) await pause(recoveryPauseMilliseconds)
  }
  const calls = gather({ line, work })

  return {
    submit(call) {
      if (isClosing || line.weight() + call.items.length > waitingOrdersMax) return Promise.resolve(tooBusy)
      return new Promise((resolve, reject) => calls.add(waitWithCall(call, { resolve, reject, onUnknown })))
    },
    async close() {
      isClosing = true
      await calls.drained()
      await db.destroy()
    },
  }
}

/**
 * Places a batch and answers its callers. When the transaction fails for an unexpected reason, the batch is split into
 * halves that are placed separately, until the call that causes the failure is alone.
 * @returns the calls whose wallet is locked by somebody else; they are tried again
 */
async function placeWaitingCalls(db: Db, kinds: OrderKinds, log: Logger, batch: readonly WaitingCall[]): Promise<WaitingCall[]> {
  const busy: WaitingCall[] = []
  await workApart(batch, {
    work: async (part) => {
      for (const waitingCall of part) if (!waitingCall.isInTime()) waitingCall.answer(tooBusy)
      busy.push(...(await placeSurely(db, kinds, log, part)))
    },
    giveUp: (part, error) => {
      for (const waitingCall of part) waitingCall.fail(error instanceof Error ? error : new Error(String(error)))
    },
  })
  return busy
}

/**
 * Runs the batch until every caller is answered or waits for a wallet that somebody else has locked. After a lost
 * connection the batch runs again. That is safe: the orders had their ids before the first try, so orders that were
 * committed are recognised as this call's own, and the wallet's lock is free only when the lost transaction has ended.
 * @throws what was not expected
 */
async function placeSurely(db: Db, kinds: OrderKinds, log: Logger, batch: readonly WaitingCall[]): Promise<WaitingCall[]> {
  // A session that hangs may hold the wallet of a call in doubt. The other calls must not wait for it.
  let isSkippingLocked = batch.some((waitingCall) => waitingCall.isInDoubt)
  let failures = 0
  let lastError: unknown
  for (;;) {
    const calls = batch.filter((waitingCall) => !waitingCall.isAnswered())
    if (calls.length === 0) break
    try {
      const outcomes = await placeOnce(db, kinds, calls, isSkippingLocked)
      return answerCalls(calls, outcomes)
    } catch (error) {
      const kind = classifyDatabaseError(error)
      lastError = error
      if (kind === 'connection_lost') {
        await pause(recoveryPauseMilliseconds)
      } else if (kind === 'lock_not_available') {
        if (isSkippingLocked) await pause(recoveryPauseMilliseconds)
        isSkippingLocked = true
      } else if (kind === 'serialization') {
        failures += 1
        log.warn({ err: error }, 'a batch of orders was rolled back by the database and is placed again')
        if (failures > serializationFailuresMax) for (const waitingCall of calls) waitingCall.answer(tooBusy)
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
async function placeOnce(
  db: Db,
  kinds: OrderKinds,
  calls: readonly WaitingCall[],
  isSkippingLocked: boolean,
): Promise<BatchOutcome[]> {
  let committed: WaitingCall[] = []
  try {
    return await db.transaction().execute(async (tx) => {
      const outcomes = await placeBatch(
        tx,
        calls.map(({ call }) => call),
        kinds,
        isSkippingLocked,
      )
      const answered = calls.filter((waitingCall) => waitingCall.isAnswered())
      if (answered.length > 0) throw new AnsweredMeanwhileError(answered)
      committed = calls.filter((waitingCall, index) => isPlaced(outcomes[index]) && !waitingCall.isInDoubt)
      for (const waitingCall of committed) waitingCall.isInDoubt = true
      return outcomes
    })
  } catch (error) {
    if (provesRollback(error)) for (const waitingCall of committed) waitingCall.isInDoubt = false
    throw error
  }
}

function isPlaced(outcome: BatchOutcome | undefined): boolean {
  return typeof outcome === 'object' && 'placements' in outcome
}

/** Returns the calls whose wallet is busy; all others are answered. */
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
