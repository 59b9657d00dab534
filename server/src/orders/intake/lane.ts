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

/** Orders in one transaction at most: beyond this the batch's own time grows faster than its gain. */
const batchOrdersMax = 256

/** Orders waiting in one lane at most; the next call is told to come back. At full speed this is about a second's work. */
const waitingOrdersMax = 8_192

/** Between two tries to reach a database that is away, or a wallet that is held. */
const recoveryPauseMilliseconds = 100

/** So often a batch is placed again that the database rolled back. */
const serializationFailuresMax = 2

/** One connection's worth of the intake. Calls that arrive while a batch is in flight wait and are taken together. */
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
    // Nobody else holds the lane's wallets for long; this keeps a held one from spinning the loop.
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
 * Places a batch and answers its callers. When one call makes the transaction fail in a way nobody foresaw, the halves
 * are placed apart until it stands alone. Returns the calls whose wallet somebody else held, to be tried again.
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
 * Runs the batch until its callers are answered or their wallets are held by somebody else. After a lost
 * connection it is run again: the orders' ids were given before the first try, so orders that did commit are
 * recognised as this call's own, and the wallet's lock is only free once the lost transaction has ended.
 *
 * @throws what nobody foresaw
 */
async function placeSurely(db: Db, kinds: OrderKinds, log: Logger, batch: readonly WaitingCall[]): Promise<WaitingCall[]> {
  // What is in doubt may be held by a session that hangs: nobody else waits for that.
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

/** A caller was answered before its orders were committed, so they must not be. */
class AnsweredMeanwhileError extends Error {
  override name = 'AnsweredMeanwhileError'
  readonly orderIds: readonly string[]
  constructor(calls: readonly WaitingCall[]) {
    super('a caller was answered before the commit')
    this.orderIds = calls.flatMap(({ call }) => call.items.map((item) => item.orderId))
  }
}

/** Runs the batch in one transaction. Once its COMMIT is sent the calls it places are in doubt, until that is answered. */
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
