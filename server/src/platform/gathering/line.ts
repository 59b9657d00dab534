/** Where items wait for their batch. */
export type Line<Item> = {
  push(item: Item): void
  /** Takes the next batch out of the line: at least one item when any waits. */
  take(): Item[]
  /** Items that wait and may be taken. */
  count(): number
  /** The work on a batch has ended. */
  finish?(batch: readonly Item[]): void
}

/** A line in the order of arrival, with so many items in a batch at most. */
export function inOrder<Item>(batchMax: number): Line<Item> {
  const waiting: Item[] = []
  return {
    push: (item) => waiting.push(item),
    take: () => waiting.splice(0, batchMax),
    count: () => waiting.length,
  }
}

/** A line whose items weigh something. */
export type WeighedLine<Item> = Line<Item> & {
  /** What all that waits weighs. */
  weight(): number
}

export type TurnRules<Item> = {
  /** Items of one key stay in their order. */
  readonly keyOf: (item: Item) => string
  readonly weightOf: (item: Item) => number
  /** What a batch weighs at most. An item is never split, so one that is heavier goes alone. */
  readonly batchWeightMax: number
  /** An item heavier than this goes alone, so that it slows no lighter one. None does if left out. */
  readonly sharingWeightMax?: number
  /** Whether the items of a key wait while a batch with others of that key is worked on. False if left out. */
  readonly isOneBatchPerKey?: boolean
}

/** A line in which keys take turns: a key that was just served waits behind all other keys. */
export function inTurns<Item>(rules: TurnRules<Item>): WeighedLine<Item> {
  const { keyOf, weightOf, batchWeightMax, sharingWeightMax = Number.POSITIVE_INFINITY, isOneBatchPerKey = false } = rules
  const queues = new Map<string, Item[]>()
  /** The keys whose items are being worked on, with those that wait for that. */
  const held = new Map<string, Item[]>()
  let count = 0
  let heldCount = 0
  let weight = 0

  function take(): Item[] {
    const batch: Item[] = []
    let batchWeight = 0
    // A key that is deleted and set again comes up again in this loop, after the others.
    for (const [key, queue] of queues) {
      const next = queue[0] as Item
      const isHeavy = weightOf(next) > sharingWeightMax
      // All that was taken before it waits behind it now, so it is the first of the next batch.
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
