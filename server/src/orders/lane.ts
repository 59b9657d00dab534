import type { Logger } from 'pino'
import type { Db } from '../platform/database/database.ts'
import { classifyDatabaseError } from '../platform/database/database-errors.ts'
import { refusals } from '../platform/http/refusals.ts'
import type { OrderCall, OrderKinds } from './books.ts'
import type { CallOutcome } from './decide-calls.ts'
import type { BatchMeasure } from './measure-orders.ts'
import { type BatchOutcome, placeBatch } from './place-batch.ts'

/** Orders in one transaction at most: beyond this the batch's own time grows faster than its gain. */
const batchOrdersMax = 256

/** Orders waiting in one lane at most; the next call is told to come back. At full speed this is about a second's work. */
const waitingOrdersMax = 8_192

/** A call that has not been placed this long after it came is told to come back. Clients give up after about 25 s. */
const patienceMilliseconds = 3_000

/** How long a batch whose COMMIT got no answer is looked up again before its callers are told so (decisions A8). */
const recoveryMilliseconds = 10_000

/** Between two tries to reach a database that is away. */
const recoveryPauseMilliseconds = 100

type WaitingCall = {
  readonly call: OrderCall
  readonly deadline: number
  readonly resolve: (outcome: CallOutcome) => void
  readonly reject: (error: unknown) => void
}

/** One connection's worth of the door. Calls that arrive while a batch is in flight wait and are taken together. */
export type Lane = {
  submit(call: OrderCall): Promise<CallOutcome>
  /** Places what waits, then closes the connection. */
  close(): Promise<void>
}

const refusedAs = (refusal: typeof refusals.overloaded): CallOutcome => ({ refusal, itemIndex: 0 })

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
      if (isClosing || waitingOrders + call.items.length > waitingOrdersMax)
        return Promise.resolve(refusedAs(refusals.overloaded))
      return new Promise((resolve, reject) => {
        enqueue({ call, deadline: performance.now() + patienceMilliseconds, resolve, reject })
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
  const inTime = batch.filter((waitingCall) => {
    const isInTime = performance.now() <= waitingCall.deadline
    if (!isInTime) waitingCall.resolve(refusedAs(refusals.overloaded))
    return isInTime
  })
  if (inTime.length === 0) return []
  const calls = inTime.map((waitingCall) => waitingCall.call)
  const result = await placeSurely(db, kinds, log, calls)
  if (result === 'poisoned') return placeHalves(db, kinds, log, inTime)
  return inTime.filter((waitingCall, index) => {
    const outcome = result[index] as BatchOutcome | Error
    if (outcome === 'wallet_busy') return true
    if (outcome instanceof Error) waitingCall.reject(outcome)
    else waitingCall.resolve(outcome)
    return false
  })
}

/** One item made the transaction fail in a way nobody foresaw: the halves are placed apart until it stands alone. */
async function placeHalves(db: Db, kinds: OrderKinds, log: Logger, batch: readonly WaitingCall[]): Promise<WaitingCall[]> {
  const middle = Math.ceil(batch.length / 2)
  const first = await placeWaitingCalls(db, kinds, log, batch.slice(0, middle))
  const second = await placeWaitingCalls(db, kinds, log, batch.slice(middle))
  return [...first, ...second]
}

type SureResult = (BatchOutcome | Error)[] | 'poisoned'

/**
 * Runs the batch until its outcome is known. After a lost connection it is run again: the orders'
 * ids were given before the first try, so orders that did commit are recognised as this call's own.
 */
async function placeSurely(db: Db, kinds: OrderKinds, log: Logger, calls: readonly OrderCall[]): Promise<SureResult> {
  const startedAt = performance.now()
  let isSkippingLocked = false
  let isCommitInDoubt = false
  let serializationFailures = 0
  for (;;) {
    let isCommitting = false
    try {
      return await db.transaction().execute(async (tx) => {
        const outcomes = await placeBatch(tx, calls, kinds, isSkippingLocked)
        isCommitting = true
        return outcomes
      })
    } catch (error) {
      const kind = classifyDatabaseError(error)
      isCommitInDoubt ||= isCommitting && kind === 'connection_lost'
      const isOutOfTime = performance.now() - startedAt > recoveryMilliseconds
      if (kind === 'connection_lost' && !isOutOfTime) {
        await pause(recoveryPauseMilliseconds)
      } else if (kind === 'lock_not_available' && !isOutOfTime) {
        isSkippingLocked = true
      } else if (kind === 'serialization' && ++serializationFailures <= 2) {
        log.warn({ err: error }, 'a batch of orders was rolled back by the database and is placed again')
      } else if (isCommitInDoubt) {
        log.error(
          { err: error, orderIds: calls.flatMap((call) => call.items.map((item) => item.orderId)) },
          'the outcome of a commit is unknown',
        )
        return calls.map(() => refusedAs(refusals.outcomeUnknown))
      } else if (kind !== 'other' && kind !== 'constraint') {
        log.error({ err: error }, 'orders could not be placed: the database is away or busy')
        return calls.map(() => refusedAs(refusals.overloaded))
      } else if (calls.length > 1) {
        log.error({ err: error }, 'a batch of orders failed; it is split to find the cause')
        return 'poisoned'
      } else {
        return [error instanceof Error ? error : new Error(String(error))]
      }
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}
