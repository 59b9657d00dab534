/** Where items wait for their batch. */
export type Line<Item> = {
  push(item: Item): void
  /** Takes the next batch out of the line: at least one item when any waits. */
  take(): Item[]
  /** Items that wait. */
  count(): number
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
}

/** A line in which keys take turns: a key that was just served waits behind all other keys. */
export function inTurns<Item>({ keyOf, weightOf, batchWeightMax }: TurnRules<Item>): WeighedLine<Item> {
  const queues = new Map<string, Item[]>()
  let count = 0
  let weight = 0

  function take(): Item[] {
    const batch: Item[] = []
    let batchWeight = 0
    // A key that is deleted and set again comes up again in this loop, after the others.
    for (const [key, queue] of queues) {
      const next = queue[0] as Item
      if (batch.length > 0 && batchWeight + weightOf(next) > batchWeightMax) break
      queue.shift()
      queues.delete(key)
      if (queue.length > 0) queues.set(key, queue)
      batch.push(next)
      batchWeight += weightOf(next)
    }
    count -= batch.length
    weight -= batchWeight
    return batch
  }

  return {
    push: (item) => {
      const queue = queues.get(keyOf(item))
      if (queue) queue.push(item)
      else queues.set(keyOf(item), [item])
      count += 1
      weight += weightOf(item)
    },
    take,
    count: () => count,
    weight: () => weight,
  }
}
