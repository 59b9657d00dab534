/** The line in which items wait for their batch. */
export type Line<Item> = {
  push(item: Item): void
  /** Takes the next batch out of the line: at least one item when any waits. */
  take(): Item[]
  /** Items that wait and may be taken. */
  count(): number
  /** Called when the work on a batch has ended. */
  finish?(batch: readonly Item[]): void
}

/** A line in the order of arrival, with at most `batchMax` items in a batch. */
export function inOrder<Item>(batchMax: number): Line<Item> {
  const waiting: Item[] = []
  return {
    push: (item) => waiting.push(item),
    take: () => waiting.splice(0, batchMax),
    count: () => waiting.length,
  }
}

export type WeighedLine<Item> = Line<Item> & {
  weight(): number
}

export type TurnRules<Item> = {
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

/** A line in which keys take turns: a key that was just served waits behind all other keys. */
export function inTurns<Item>(rules: TurnRules<Item>): WeighedLine<Item> {
  const { keyOf, weightOf, batchWeightMax, sharingWeightMax = Number.POSITIVE_INFINITY, isOneBatchPerKey = false } = rules
  const queues = new Map<string, Item[]>()
  /** The keys of running batches, with their waiting items. */
  const held = new Map<string, Item[]>()
  let count = 0
  let heldCount = 0
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
    if (isOneBatchPerKey) for (const item of batch) hold(keyOf(item))
    return batch
  }

  function hold(key: string): void {
    if (held.has(key)) return
    const queue = queues.get(key) ?? []
    queues.delete(key)
    held.set(key, queue)
    heldCount += queue.length
  }

  function release(key: string): void {
    const queue = held.get(key)
    if (!queue) return
    held.delete(key)
    heldCount -= queue.length
    if (queue.length > 0) queues.set(key, queue)
  }

  return {
    push: (item) => {
      const key = keyOf(item)
      const queue = held.get(key) ?? queues.get(key)
      if (queue) queue.push(item)
      else queues.set(key, [item])
      count += 1
      if (held.has(key)) heldCount += 1
      weight += weightOf(item)
    },
    take,
    count: () => count - heldCount,
    weight: () => weight,
    finish: (batch) => {
      for (const item of batch) release(keyOf(item))
    },
  }
}
