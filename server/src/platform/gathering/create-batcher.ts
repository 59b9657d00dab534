import { setTimeout as wait } from 'node:timers/promises'

/** The queue in which items wait for their batch. */
export type BatchQueue<Item> = {
  push(item: Item): void
  /** Takes the next batch out of the queue: at least one item when any waits. */
  take(): Item[]
  /** The number of items that wait and may be taken. */
  count(): number
  /** Called when the work on a batch has ended. */
  finish?(batch: readonly Item[]): void
}

/** A queue in the order of arrival, with at most `batchMax` items in a batch. */
export function createFifoQueue<Item>(batchMax: number): BatchQueue<Item> {
  const waiting: Item[] = []
  return {
    push: (item) => waiting.push(item),
    take: () => waiting.splice(0, batchMax),
    count: () => waiting.length,
  }
}

export type WeightedQueue<Item> = BatchQueue<Item> & {
  weight(): number
}

export type RoundRobinRules<Item> = {
  /** Items with the same key stay in their order. */
  readonly keyOf: (item: Item) => string
  readonly weightOf: (item: Item) => number
  /** The most weight of a batch. An item is never split, so a heavier item forms a batch alone. */
  readonly batchWeightMax: number
  /** An item with more weight forms a batch alone, so that lighter items do not wait for it. Left out: no limit. */
  readonly sharingWeightMax?: number
  /** True: items of a key wait while a batch with others of that key is worked on. Left out: false. */
  readonly isOneBatchPerKey?: boolean
}

/** A queue in which keys take turns: a key that was just served waits behind all other keys. */
export function createRoundRobinQueue<Item>(rules: RoundRobinRules<Item>): WeightedQueue<Item> {
  const { keyOf, weightOf, batchWeightMax, sharingWeightMax = Number.POSITIVE_INFINITY, isOneBatchPerKey = false } = rules
  const queues = new Map<string, Item[]>()
  /** The keys of running batches, with their waiting items. */
  const blocked = new Map<string, Item[]>()
  let count = 0
  let blockedCount = 0
  let weight = 0

  function take(): Item[] {
    const batch: Item[] = []
    let batchWeight = 0
    // A key that is deleted and set again comes later in this loop, after the others.
    for (const [key, queue] of queues) {
      const next = queue[0] as Item
      const isHeavy = weightOf(next) > sharingWeightMax
      // A heavy item forms a batch alone. The keys that were served before it move behind its key, so it is the first of the
      // next batch.
      if (batch.length > 0 && isHeavy) continue
      if (batch.length > 0 && batchWeight + weightOf(next) > batchWeightMax) break
      queue.shift()
      queues.delete(key)
      if (queue.length > 0) queues.set(key, queue)
      batch.push(next)
      batchWeight += weightOf(next)
      if (isHeavy) break
    }
    count -= batch.length
    weight -= batchWeight
    if (isOneBatchPerKey) for (const item of batch) block(keyOf(item))
    return batch
  }

  function block(key: string): void {
    if (blocked.has(key)) return
    const queue = queues.get(key) ?? []
    queues.delete(key)
    blocked.set(key, queue)
    blockedCount += queue.length
  }

  function release(key: string): void {
    const queue = blocked.get(key)
    if (!queue) return
    blocked.delete(key)
    blockedCount -= queue.length
    if (queue.length > 0) queues.set(key, queue)
  }

  return {
    push: (item) => {
      const key = keyOf(item)
      const queue = blocked.get(key) ?? queues.get(key)
      if (queue) queue.push(item)
      else queues.set(key, [item])
      count += 1
      if (blocked.has(key)) blockedCount += 1
      weight += weightOf(item)
    },
    take,
    count: () => count - blockedCount,
    weight: () => weight,
    finish: (batch) => {
      for (const item of batch) release(keyOf(item))
    },
  }
}

/** Collects items and works on them in batches. */
export type Batcher<Item> = {
  /** Puts an item into the queue. `work` may call it too, to try an item again. */
  add(item: Item): void
  /** The number of items that wait and may be taken, plus that of the items in running batches. */
  size(): number
  /** Resolves when nothing waits and no batch is being worked on. */
  drained(): Promise<void>
}

/** Awaited before each batch, so that more items can gather. `isFirst` is true before the first of several batches in a row. */
export type PauseBeforeBatch = (isFirst: boolean) => Promise<void>

export type BatcherRules<Item> = {
  readonly queue: BatchQueue<Item>
  /** Works on one batch. It must not reject; it handles the failure of each item itself. */
  readonly work: (batch: readonly Item[]) => Promise<void>
  /** The most batches that run at the same time. Left out: 1. */
  readonly batchesAtOnce?: number
  /**
   * While other batches run, a new one begins when as many items wait as the others hold, or after this time: two small batches
   * cost more than one large one. Left out: it begins at once.
   */
  readonly joinMilliseconds?: number
  /**
   * The wait before a batch, so that more items gather. Left out: an item that arrives while nothing runs is worked on at once,
   * in the same turn of the event loop.
   */
  readonly pause?: PauseBeforeBatch
}

/** Collects items: those that come while batches are running wait in the queue and go into the next batch. */
export function createBatcher<Item>({
  queue,
  work,
  batchesAtOnce = 1,
  joinMilliseconds,
  pause,
}: BatcherRules<Item>): Batcher<Item> {
  let running = 0
  let inWork = 0
  let joining: NodeJS.Timeout | undefined
  let onceIdle: (() => void)[] = []

  async function workOnNext(): Promise<void> {
    clearTimeout(joining)
    joining = undefined
    const batch = queue.take()
    inWork += batch.length
    // More items wait than this batch could take. They get another batch soon, because this one may hang.
    if (joinMilliseconds !== undefined && running < batchesAtOnce && queue.count() > 0) scheduleBatch()
    try {
      await work(batch)
    } finally {
      inWork -= batch.length
      queue.finish?.(batch)
    }
  }

  const isWorthwhile = (others: number) => others === 0 || joinMilliseconds === undefined || queue.count() >= inWork

  /** Starts another batch for the waiting items after `joinMilliseconds` at the latest. */
  function scheduleBatch(): void {
    joining ??= setTimeout(() => {
      joining = undefined
      if (running < batchesAtOnce && queue.count() > 0) void run(true)
    }, joinMilliseconds)
  }

  async function run(isLate: boolean): Promise<void> {
    running += 1
    let isDue = isLate
    try {
      if (pause) await pause(true)
      while (queue.count() > 0 && (isDue || isWorthwhile(running - 1))) {
        isDue = false
        await workOnNext()
        if (pause) await pause(false)
      }
    } finally {
      running -= 1
      if (running > 0 && queue.count() > 0) scheduleBatch()
      if (running === 0) for (const tell of onceIdle.splice(0)) tell()
    }
  }

  return {
    add: (item) => {
      queue.push(item)
      if (running === batchesAtOnce || queue.count() === 0) return
      if (isWorthwhile(running)) void run(false)
      else scheduleBatch()
    },
    size: () => queue.count() + inWork,
    drained: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => onceIdle.push(resolve))),
  }
}

/** Resolves at the end of this turn of the event loop, after everything else in it. */
export function waitForEventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/**
 * The first batch takes all items of the same turn of the event loop. Later batches are this far apart, unless a full one
 * waits: many small batches cost more than the work in them.
 */
export function createPauseBetweenBatches(milliseconds: number, isFull: () => boolean): PauseBeforeBatch {
  return async (isFirst) => {
    if (isFirst) await waitForEventLoopTurn()
    else if (!isFull()) await wait(milliseconds)
  }
}

export type SplitRules<Item> = {
  readonly work: (batch: readonly Item[]) => Promise<void>
  /** True when one item may have caused the failure. Else the whole batch is given up. Left out: true. */
  readonly isOneToBlame?: (error: unknown) => boolean
  readonly giveUp: (items: readonly Item[], error: unknown) => void
}

/**
 * Works on a batch. When it fails and one item may be to blame, it is split into halves again and again, until that item is
 * alone and is given up.
 */
export async function workInHalves<Item>(batch: readonly Item[], rules: SplitRules<Item>): Promise<void> {
  try {
    await rules.work(batch)
  } catch (error) {
    if (batch.length === 1 || rules.isOneToBlame?.(error) === false) {
      rules.giveUp(batch, error)
      return
    }
    const middle = Math.ceil(batch.length / 2)
    await workInHalves(batch.slice(0, middle), rules)
    await workInHalves(batch.slice(middle), rules)
  }
}
