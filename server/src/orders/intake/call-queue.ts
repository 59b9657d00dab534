import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import {
  type BatcherRules,
  createBatcher,
  createRoundRobinQueue,
  waitForEventLoopTurn,
} from '../../platform/gathering/create-batcher.ts'
import { placeWithRetries } from './exact/place-exactly.ts'
import {
  type CallOutcome,
  type CallQueue,
  createWaitingCall,
  type OrderCall,
  type OrderKinds,
  tooBusy,
  type WaitingCall,
} from './place-orders.ts'
import { canDecideFromMemory, placeRemembered } from './remembered/place-remembered.ts'
import { createRememberedFacts } from './remembered/remembered-facts.ts'

/** A call with more orders is a bulk. It forms a batch alone, and bulks and single purchases take turns. */
const sharingOrdersMax = 16

/**
 * A call is answered 503 when more orders than this would wait in the process. At full speed this is about a second of work.
 */
const waitingOrdersMax = 8_192

/** One account may have at most this many unanswered orders in the process, so that calls of other accounts still get in. */
const accountOrdersMax = waitingOrdersMax / 2

/** The first pause before a busy wallet is tried again. It doubles with each try, up to `longestPauseMilliseconds`. */
const firstPauseMilliseconds = 2

/** The longest pause between tries or between bulks, short enough that no call times out in one pause. */
const longestPauseMilliseconds = 100

/**
 * The most batches that run at the same time in each of two ways: decided from memory, and decided on facts read from the
 * database (`placeExactly`). With two, one is decided while the disk writes the other.
 */
const batchesAtOnce = 2

/**
 * Calls that have waited this long beside a running batch go into a second one, so that a batch that hangs holds up only its
 * own accounts. A batch usually takes less time than this.
 */
const joinMilliseconds = 20

/** One connection for each batch of both ways, and one for the bulk that is running. */
export const callQueueConnections = 2 * batchesAtOnce + 1

/** Called after each batch with the number of its orders and the seconds that the batch took. */
export type BatchMeasure = (orders: number, seconds: number) => void

export type CallQueueOptions = {
  readonly db: Db
  readonly kinds: OrderKinds
  readonly log: Logger
  readonly onBatch?: BatchMeasure | undefined
  /** Called when the database has lost entries of a remembered wallet. */
  readonly onLostEntries?: ((reason: string) => void) | undefined
}

type BatchWork = (batch: readonly WaitingCall[]) => Promise<void>

/**
 * Opens the queue of a process. A call is decided from memory if `canDecideFromMemory` holds. All other calls go to `placeExactly`,
 * also those that turn out not to fit while their batch is decided.
 */
export function openCallQueue({ db, kinds, log, onBatch, onLostEntries }: CallQueueOptions): CallQueue {
  const deps = { db, kinds, log, facts: createRememberedFacts(), onLostEntries }
  const unanswered = countUnanswered()
  let waitingRetryWeight = 0
  let isClosing = false

  function submit(call: OrderCall): Promise<CallOutcome> {
    const weight = call.items.length
    const waitingWeight = shared.weight() + separated.weight() + bulks.weight() + exact.weight() + waitingRetryWeight
    const ofAccount = unanswered.ordersOf(call.accountId) + weight
    if (isClosing || ofAccount > accountOrdersMax || waitingWeight + weight > waitingOrdersMax) return Promise.resolve(tooBusy)
    unanswered.add(call)
    return new Promise((resolve, reject) => {
      add(createWaitingCall(call, { resolve, reject, onUnknown, onAnswered: () => unanswered.remove(call) }))
    })
  }

  /** Puts a call into its queue: that of `placeExactly`, of bulks, or of all others. */
  function add(waitingCall: WaitingCall): void {
    const { call } = waitingCall
    const isBulk = call.items.length > sharingOrdersMax
    if (!isBulk) bulks.recordSingle()
    if (!canDecideFromMemory(call, kinds)) exact.add(waitingCall)
    else if (isBulk) bulks.add(waitingCall)
    else shared.add(waitingCall)
  }

  const separated = separateBulks(withMeasure(placeAsRemembered, onBatch), (waitingCall) => shared.add(waitingCall))
  // A batch begins after everything else of this turn of the event loop, so that it takes all calls of the turn.
  const shared = gatherCalls(separated.placeShared, { batchesAtOnce, joinMilliseconds, pause: waitForEventLoopTurn })
  const bulks = gatherBulks(separated.placeBulk)
  const exact = gatherCalls(withMeasure(placeExactly, onBatch), { batchesAtOnce })

  async function placeAsRemembered(batch: readonly WaitingCall[]): Promise<void> {
    const { atOnce, afterRest } = await placeRemembered(deps, batch)
    for (const waitingCall of atOnce) exact.add(waitingCall)
    for (const waitingCall of afterRest) retryLater(waitingCall)
  }

  async function placeExactly(batch: readonly WaitingCall[]): Promise<void> {
    for (const waitingCall of await placeWithRetries(deps, batch)) retryLater(waitingCall)
  }

  /** Lets a call with a busy wallet wait a little. Then it goes to `placeExactly`. */
  function retryLater(waitingCall: WaitingCall): void {
    const milliseconds = Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** waitingCall.putOffCount)
    const weight = waitingCall.call.items.length
    waitingCall.putOffCount += 1
    waitingRetryWeight += weight
    setTimeout(() => {
      waitingRetryWeight -= weight
      exact.add(waitingCall)
    }, milliseconds)
  }

  function onUnknown({ items }: OrderCall): void {
    log.error({ orderIds: items.map((item) => item.orderId) }, 'the outcome of a commit is unknown')
  }

  return {
    submit,
    async close() {
      isClosing = true
      await unanswered.none()
      await Promise.all([shared.drained(), bulks.drained(), exact.drained()])
      await db.destroy()
    },
  }
}

/** Larger batches take more time than they save. */
const batchOrdersMax = 256

/**
 * A queue of calls: while batches run, new calls gather in it for the next batch. Accounts take turns, and one account is in one
 * batch of this queue at a time.
 */
function gatherCalls(work: BatchWork, rules: Pick<BatcherRules<WaitingCall>, 'batchesAtOnce' | 'joinMilliseconds' | 'pause'>) {
  const queue = createRoundRobinQueue<WaitingCall>({
    keyOf: ({ call }) => call.accountId,
    weightOf: ({ call }) => call.items.length,
    batchWeightMax: batchOrdersMax,
    sharingWeightMax: sharingOrdersMax,
    isOneBatchPerKey: true,
  })
  const calls = createBatcher({ queue, work, ...rules })
  return { ...calls, weight: () => queue.weight() }
}

/** After a bulk, single purchases go first for at most this many times as long as the bulk took. */
const singlePurchaseShare = 2

/**
 * One bulk at a time. While others buy, single purchases go first after each bulk (`singlePurchaseShare`), so that most of them wait
 * for no bulk.
 */
function gatherBulks(work: BatchWork) {
  let hasSinglePurchases = false
  let bulkMilliseconds = 0
  async function timed(batch: readonly WaitingCall[]): Promise<void> {
    const startedAt = performance.now()
    await work(batch)
    bulkMilliseconds = performance.now() - startedAt
  }
  const bulks = gatherCalls(timed, {
    async pause(isFirst) {
      await waitForEventLoopTurn()
      if (!isFirst && hasSinglePurchases) await wait(Math.min(longestPauseMilliseconds, singlePurchaseShare * bulkMilliseconds))
      hasSinglePurchases = false
    },
  })
  return {
    ...bulks,
    /** Called for each call that is no bulk, so that the next bulk waits. */
    recordSingle: () => {
      hasSinglePurchases = true
    },
  }
}

/**
 * Keeps an account's bulk and its other calls apart: of two batches with one wallet, the later would find it busy. A bulk
 * waits for the shared batch that its account is in, and the account's other calls are put off until the bulk has ended.
 * @param putBack called with each call that was put off
 */
function separateBulks(work: BatchWork, putBack: (waitingCall: WaitingCall) => void) {
  const sharedBatches = new Map<string, Promise<void>>()
  let bulkAccount: string | undefined
  const putOff: WaitingCall[] = []
  return {
    placeShared: async (batch: readonly WaitingCall[]): Promise<void> => {
      const isPutOff = ({ call }: WaitingCall) => call.accountId === bulkAccount
      putOff.push(...batch.filter(isPutOff))
      const placing = batch.filter((waitingCall) => !isPutOff(waitingCall))
      if (placing.length === 0) return
      const done = work(placing)
      for (const { call } of placing) sharedBatches.set(call.accountId, done)
      try {
        await done
      } finally {
        for (const { call } of placing) sharedBatches.delete(call.accountId)
      }
    },
    placeBulk: async (batch: readonly WaitingCall[]): Promise<void> => {
      bulkAccount = batch[0]?.call.accountId
      try {
        await sharedBatches.get(bulkAccount ?? '')
        await work(batch)
      } finally {
        bulkAccount = undefined
        for (const waitingCall of putOff.splice(0)) putBack(waitingCall)
      }
    },
    weight: () => weightOf(putOff),
  }
}

function withMeasure(work: BatchWork, onBatch: BatchMeasure | undefined): BatchWork {
  return async (batch) => {
    const startedAt = performance.now()
    await work(batch)
    onBatch?.(weightOf(batch), (performance.now() - startedAt) / 1_000)
  }
}

const weightOf = (calls: readonly WaitingCall[]) => calls.reduce((sum, { call }) => sum + call.items.length, 0)

/** Counts the unanswered calls, and for each account the orders in them. Reports when all calls are answered. */
function countUnanswered() {
  const orders = new Map<string, number>()
  let calls = 0
  let onNone: (() => void)[] = []
  const ordersOf = (accountId: string) => orders.get(accountId) ?? 0
  return {
    ordersOf,
    add: ({ accountId, items }: OrderCall) => {
      calls += 1
      orders.set(accountId, ordersOf(accountId) + items.length)
    },
    remove: ({ accountId, items }: OrderCall) => {
      calls -= 1
      const left = ordersOf(accountId) - items.length
      if (left > 0) orders.set(accountId, left)
      else orders.delete(accountId)
      if (calls === 0) for (const tell of onNone.splice(0)) tell()
    },
    none: () => (calls === 0 ? Promise.resolve() : new Promise<void>((resolve) => onNone.push(resolve))),
  }
}
