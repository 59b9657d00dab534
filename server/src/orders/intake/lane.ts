import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import { endOfTurn, type GatherRules, gather } from '../../platform/gathering/gather.ts'
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

/** A call with more orders is a bulk: it has a batch of its own, and its turn beside the others' purchases. */
const sharingOrdersMax = 16

/** At most this many orders wait; further calls are answered 503. At full speed this is about a second of work. */
const waitingOrdersMax = 8_192

/** The first pause before a wallet that somebody else holds is tried again. It doubles with each try, up to the longest. */
const firstRestMilliseconds = 2

/** No rest between tries or between bulks is longer, so that nobody's patience ends in it. */
const longestRestMilliseconds = 100

/** So many batches of each way are under way at the same time: one is decided while the disk keeps the other. */
const batchesAtOnce = 2

/**
 * Calls that wait beside one running batch get a second batch after this time at the latest, so that a batch that hangs
 * holds up only its own accounts. It is longer than a batch takes.
 */
const joinMilliseconds = 20

/** Every batch of both ways has a connection of its own, and so has the bulk that is under way. */
export const laneConnections = 2 * batchesAtOnce + 1

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
 * A line of calls: those that come while batches are under way wait, and go together into the next one. Accounts take
 * turns, and one account is in one batch of this line at a time.
 */
function gatherCalls(
  work: BatchWork,
  onBatch: BatchMeasure | undefined,
  rules: Pick<GatherRules<WaitingCall>, 'batchesAtOnce' | 'joinMilliseconds' | 'pause'>,
) {
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
  const calls = gather({ line, work: measured, ...rules })
  return { ...calls, weight: () => line.weight() }
}

/**
 * Bulks wait for each other, and after each one for the others: while others buy, they get as much time as the bulk took, so
 * that a flood of bulks leaves them half of this process and of the database.
 */
function gatherBulks(work: BatchWork, onBatch: BatchMeasure | undefined) {
  let hasOthers = false
  let bulkMilliseconds = 0
  async function measured(batch: readonly WaitingCall[]): Promise<void> {
    const startedAt = performance.now()
    await work(batch)
    bulkMilliseconds = performance.now() - startedAt
  }
  const bulks = gatherCalls(measured, onBatch, {
    async pause(isFirst) {
      await endOfTurn()
      if (!isFirst && hasOthers) await wait(Math.min(longestRestMilliseconds, bulkMilliseconds))
      hasOthers = false
    },
  })
  return {
    ...bulks,
    /** Somebody else buys. */
    noteOthers: () => {
      hasOthers = true
    },
  }
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

  async function placeAsRemembered(batch: readonly WaitingCall[]): Promise<void> {
    const { atOnce, afterRest } = await placeRemembered(deps, batch)
    for (const waitingCall of atOnce) exact.add(waitingCall)
    for (const waitingCall of afterRest) rest(waitingCall)
  }

  // A batch begins after everything else of this turn of the event loop, so that all calls of the turn are in it.
  const shared = gatherCalls(placeAsRemembered, onBatch, { batchesAtOnce, joinMilliseconds, pause: endOfTurn })

  const bulks = gatherBulks(placeAsRemembered, onBatch)
  const exact = gatherCalls(
    async (batch) => {
      for (const waitingCall of await placeSurely(deps, batch)) rest(waitingCall)
    },
    onBatch,
    { batchesAtOnce },
  )

  function add(waitingCall: WaitingCall): void {
    const { call } = waitingCall
    const isBulk = call.items.length > sharingOrdersMax
    if (!isBulk) bulks.noteOthers()
    if (!isForMemory(call, kinds)) exact.add(waitingCall)
    else if (isBulk) bulks.add(waitingCall)
    else shared.add(waitingCall)
  }

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
      const weight = shared.weight() + bulks.weight() + exact.weight() + restingWeight + call.items.length
      if (isClosing || weight > waitingOrdersMax) return Promise.resolve(tooBusy)
      unanswered.add()
      return new Promise((resolve, reject) => {
        add(waitWithCall(call, { resolve, reject, onUnknown, onAnswered: unanswered.remove }))
      })
    },
    async close() {
      isClosing = true
      await unanswered.none()
      await Promise.all([shared.drained(), bulks.drained(), exact.drained()])
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
