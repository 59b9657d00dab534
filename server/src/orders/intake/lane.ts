import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import { classifyDatabaseError, provesRollback } from '../../platform/database/database-errors.ts'
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

/** Calls that wait, per account, so that accounts can take turns. */
type WaitingCalls = Map<string, WaitingCall[]>

/** Opens a lane over a database of one connection. */
export function openLane(db: Db, kinds: OrderKinds, log: Logger, onBatch?: BatchMeasure): Lane {
  const waiting: WaitingCalls = new Map()
  let waitingOrders = 0
  let running: Promise<void> | undefined
  let isClosing = false

  function enqueue(waitingCall: WaitingCall): void {
    const { accountId, items } = waitingCall.call
    const queue = waiting.get(accountId)
    if (queue) queue.push(waitingCall)
    else waiting.set(accountId, [waitingCall])
    waitingOrders += items.length
  }

  function onUnknown({ items }: OrderCall): void {
    log.error({ orderIds: items.map((item) => item.orderId) }, 'the outcome of a commit is unknown')
  }

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      const batch = takeBatch(waiting)
      const orders = batch.reduce((sum, { call }) => sum + call.items.length, 0)
      waitingOrders -= orders
      const startedAt = performance.now()
      const busy = await placeWaitingCalls(db, kinds, log, batch)
      onBatch?.(orders, (performance.now() - startedAt) / 1_000)
      for (const waitingCall of busy) enqueue(waitingCall)
      // Nobody else holds the lane's wallets for long; this keeps a held one from spinning the loop.
      if (busy.length > 0 && busy.length === batch.length) await pause(recoveryPauseMilliseconds)
    }
    running = undefined
  }

  return {
    submit(call) {
      if (isClosing || waitingOrders + call.items.length > waitingOrdersMax) return Promise.resolve(tooBusy)
      return new Promise((resolve, reject) => {
        enqueue(waitWithCall(call, { resolve, reject, onUnknown }))
        running ??= run()
      })
    },
    async close() {
      isClosing = true
      await running
      await db.destroy()
    },
  }
}

/** Takes one call per account in turn until the batch is full. A call is never split; the first is always taken. */
function takeBatch(waiting: WaitingCalls): WaitingCall[] {
  const batch: WaitingCall[] = []
  let orders = 0
  while (waiting.size > 0) {
    for (const [accountId, queue] of waiting) {
      const next = queue[0] as WaitingCall
      if (batch.length > 0 && orders + next.call.items.length > batchOrdersMax) return batch
      queue.shift()
      if (queue.length === 0) waiting.delete(accountId)
      batch.push(next)
      orders += next.call.items.length
    }
  }
  return batch
}

/** Places a batch and answers its callers. Returns the calls whose wallet somebody else held, to be tried again. */
async function placeWaitingCalls(db: Db, kinds: OrderKinds, log: Logger, batch: readonly WaitingCall[]): Promise<WaitingCall[]> {
  for (const waitingCall of batch) if (!waitingCall.isInTime()) waitingCall.answer(tooBusy)
  const result = await placeSurely(db, kinds, log, batch)
  if (result === 'poisoned') return placeHalves(db, kinds, log, batch)
  return result
}

/** One item made the transaction fail in a way nobody foresaw: the halves are placed apart until it stands alone. */
async function placeHalves(db: Db, kinds: OrderKinds, log: Logger, batch: readonly WaitingCall[]): Promise<WaitingCall[]> {
  const middle = Math.ceil(batch.length / 2)
  const first = await placeWaitingCalls(db, kinds, log, batch.slice(0, middle))
  const second = await placeWaitingCalls(db, kinds, log, batch.slice(middle))
  return [...first, ...second]
}

/**
 * Runs the batch until its callers are answered or their wallets are held by somebody else. After a lost
 * connection it is run again: the orders' ids were given before the first try, so orders that did commit are
 * recognised as this call's own, and the wallet's lock is only free once the lost transaction has ended.
 */
async function placeSurely(
  db: Db,
  kinds: OrderKinds,
  log: Logger,
  batch: readonly WaitingCall[],
): Promise<WaitingCall[] | 'poisoned'> {
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
      } else if (calls.length > 1) {
        log.error({ err: error }, 'a batch of orders failed; it is split to find the cause')
        return 'poisoned'
      } else {
        calls[0]?.fail(error instanceof Error ? error : new Error(String(error)))
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
