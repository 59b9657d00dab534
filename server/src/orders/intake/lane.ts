import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import { endOfTurn, gather, type Pause } from '../../platform/gathering/gather.ts'
import { inTurns } from '../../platform/gathering/line.ts'
import type { OrderCall, OrderKinds } from './books.ts'
import type { CallOutcome } from './decide-calls.ts'
import type { BatchMeasure } from './measure-intake.ts'
import { isForMemory } from './place-batch.ts'
import { placeRemembered } from './place-remembered.ts'
import { placeSurely } from './place-surely.ts'
import { createRememberedBooks } from './remembered-books.ts'
import { tooBusy, type WaitingCall, waitWithCall } from './waiting-call.ts'

/** At most this many orders in one batch. Larger batches take more time than they save. */
const batchOrdersMax = 256

/** A call with more orders has a batch of its own, so that one account's bulks do not slow the others' purchases. */
const sharingOrdersMax = 16

/** At most this many orders wait; further calls are answered 503. At full speed this is about a second of work. */
const waitingOrdersMax = 8_192

/** The first pause before a wallet that somebody else holds is tried again. It doubles with each try, up to the longest. */
const firstRestMilliseconds = 2
const longestRestMilliseconds = 100

/** So many batches of each way are under way at the same time: one is decided while the disk keeps the other. */
const batchesAtOnce = 2

/** Every batch of both ways has a connection of its own. */
export const laneConnections = 2 * batchesAtOnce

/** Where calls wait for their batch, and are placed one way or the other. */
export type Lane = {
  submit(call: OrderCall): Promise<CallOutcome>
  /** Places what waits, then closes the connections. */
  close(): Promise<void>
}

export type LaneOptions = {
  readonly db: Db
  readonly kinds: OrderKinds
  readonly log: Logger
  /** Told of every batch. */
  readonly onBatch?: BatchMeasure | undefined
}

type BatchWork = (batch: readonly WaitingCall[]) => Promise<void>

/**
 * Calls that come while batches are under way wait, and go together into the next one. Accounts take turns, and one
 * account is in one batch at a time.
 */
function gatherCalls(work: BatchWork, onBatch: BatchMeasure | undefined, pause?: Pause) {
  const line = inTurns<WaitingCall>({
    keyOf: ({ call }) => call.accountId,
    weightOf: ({ call }) => call.items.length,
    batchWeightMax: batchOrdersMax,
    sharingWeightMax: sharingOrdersMax,
    isOneBatchPerKey: true,
  })
  async function measured(batch: readonly WaitingCall[]): Promise<void> {
    const startedAt = performance.now()
    await work(batch)
    const orders = batch.reduce((sum, { call }) => sum + call.items.length, 0)
    onBatch?.(orders, (performance.now() - startedAt) / 1_000)
  }
  const calls = gather({ line, work: measured, batchesAtOnce, ...(pause && { pause }) })
  return { ...calls, weight: () => line.weight() }
}

/**
 * Opens the lane of a process. A call goes into a batch on remembered books if it can, else the exact way. What a batch on
 * remembered books leaves goes the exact way, too.
 */
export function openLane({ db, kinds, log, onBatch }: LaneOptions): Lane {
  const deps = { db, kinds, log, books: createRememberedBooks() }
  const unanswered = countDown()
  let restingWeight = 0
  let isClosing = false

  // A batch begins after everything else of this turn of the event loop, so that all calls of the turn are in it.
  const remembered = gatherCalls(
    async (batch) => {
      const { atOnce, afterRest } = await placeRemembered(deps, batch)
      for (const waitingCall of atOnce) exact.add(waitingCall)
      for (const waitingCall of afterRest) rest(waitingCall)
    },
    onBatch,
    endOfTurn,
  )
  const exact = gatherCalls(async (batch) => {
    for (const waitingCall of await placeSurely(deps, batch)) rest(waitingCall)
  }, onBatch)

  /** Lets a call wait while somebody else holds its wallet. Then it goes the exact way, which needs the wallet only once. */
  function rest(waitingCall: WaitingCall): void {
    const milliseconds = Math.min(longestRestMilliseconds, firstRestMilliseconds * 2 ** waitingCall.rests)
    const weight = waitingCall.call.items.length
    waitingCall.rests += 1
    restingWeight += weight
    setTimeout(() => {
      restingWeight -= weight
      exact.add(waitingCall)
    }, milliseconds)
  }

  function onUnknown({ items }: OrderCall): void {
    log.error({ orderIds: items.map((item) => item.orderId) }, 'the outcome of a commit is unknown')
  }

  return {
    submit(call) {
      const weight = remembered.weight() + exact.weight() + restingWeight + call.items.length
      if (isClosing || weight > waitingOrdersMax) return Promise.resolve(tooBusy)
      unanswered.add()
      return new Promise((resolve, reject) => {
        const waitingCall = waitWithCall(call, { resolve, reject, onUnknown, onAnswered: unanswered.remove })
        if (isForMemory(call, kinds)) remembered.add(waitingCall)
        else exact.add(waitingCall)
      })
    },
    async close() {
      isClosing = true
      await unanswered.none()
      await Promise.all([remembered.drained(), exact.drained()])
      await db.destroy()
    },
  }
}

/** Counts what is under way, and says when there is nothing any more. */
function countDown() {
  let count = 0
  let onNone: (() => void)[] = []
  return {
    add: () => {
      count += 1
    },
    remove: () => {
      count -= 1
      if (count === 0) for (const tell of onNone.splice(0)) tell()
    },
    none: () => (count === 0 ? Promise.resolve() : new Promise<void>((resolve) => onNone.push(resolve))),
  }
}
