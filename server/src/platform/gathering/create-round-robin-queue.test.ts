import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BatchQueue, createFifoQueue, createRoundRobinQueue } from './create-batcher.ts'

type Item = { readonly id: number; readonly key: string; readonly weight: number }

const arrivals = fc
  .array(fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), weight: fc.integer({ min: 1, max: 12 }) }), { maxLength: 60 })
  .map((items) => items.map((item, id) => ({ id, ...item })))

/** How many items arrive before each batch is taken. The remaining items arrive at the end. */
const rhythm = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 })

type Step = { readonly waiting: readonly Item[]; readonly batch: readonly Item[] }

/** Lets items arrive in a rhythm, and writes down what waited before each batch was taken. */
function play(queue: BatchQueue<Item>, items: readonly Item[], counts: readonly number[]): Step[] {
  const steps: Step[] = []
  const waiting: Item[] = []
  let next = 0
  const arrive = (count: number) => {
    for (const item of items.slice(next, next + count)) {
      queue.push(item)
      waiting.push(item)
    }
    next += count
  }
  const take = () => {
    expect(queue.count()).toBe(waiting.length)
    const before = [...waiting]
    const batch = queue.take()
    for (const item of batch) {
      const index = waiting.indexOf(item)
      if (index >= 0) waiting.splice(index, 1)
    }
    steps.push({ waiting: before, batch })
  }
  for (const count of counts) {
    arrive(count)
    take()
  }
  arrive(items.length)
  while (queue.count() > 0) take()
  return steps
}

const taken = (steps: readonly Step[]) => steps.flatMap(({ batch }) => batch)
const weightOf = (items: readonly Item[]) => items.reduce((sum, { weight }) => sum + weight, 0)
const keyOrder = (items: readonly Item[], key: string) => items.filter((item) => item.key === key).map(({ id }) => id)

describe('a queue in the order of arrival', () => {
  it('gives every item once, in its order, never more than the most of a batch, and something when anything waits', () => {
    fc.assert(
      fc.property(arrivals, rhythm, fc.integer({ min: 1, max: 10 }), (items, counts, batchMax) => {
        const steps = play(createFifoQueue(batchMax), items, counts)
        expect(taken(steps)).toEqual(items)
        for (const { waiting, batch } of steps) expect(batch).toHaveLength(Math.min(batchMax, waiting.length))
      }),
    )
  })
})

describe('a queue in which keys take turns', () => {
  const batchWeightMax = 10
  const openLine = () =>
    createRoundRobinQueue<Item>({ keyOf: ({ key }) => key, weightOf: ({ weight }) => weight, batchWeightMax })

  it('gives every item once, and those of a key in their order', () => {
    fc.assert(
      fc.property(arrivals, rhythm, (items, counts) => {
        const all = taken(play(openLine(), items, counts))
        expect(all.toSorted((one, other) => one.id - other.id)).toEqual(items)
        for (const key of ['a', 'b', 'c', 'd']) expect(keyOrder(all, key)).toEqual(keyOrder(items, key))
      }),
    )
  })

  it('never makes a batch heavier than allowed, except of one item that is too heavy by itself', () => {
    fc.assert(
      fc.property(arrivals, rhythm, (items, counts) => {
        for (const { waiting, batch } of play(openLine(), items, counts)) {
          expect(batch.length > 0).toBe(waiting.length > 0)
          expect(batch.length > 1 ? weightOf(batch) : 0).toBeLessThanOrEqual(batchWeightMax)
        }
      }),
    )
  })

  it('serves no key twice while another one waits that was not served since', () => {
    fc.assert(
      fc.property(arrivals, rhythm, (items, counts) => {
        const passed = new Map<string, Set<string>>()
        for (const { waiting, batch } of play(openLine(), items, counts)) {
          const queues = Map.groupBy(waiting, ({ key }) => key)
          for (const { key } of batch) {
            for (const other of queues.keys()) {
              if (other === key || queues.get(other)?.length === 0) continue
              const overtakers = passed.get(other) ?? new Set()
              expect(overtakers).not.toContain(key)
              passed.set(other, overtakers.add(key))
            }
            passed.set(key, new Set())
            queues.get(key)?.shift()
          }
        }
      }),
    )
  })

  it('keeps the items of a key while a batch of that key is worked on, and counts them only then as waiting', () => {
    const rules = { keyOf: ({ key }: Item) => key, weightOf: ({ weight }: Item) => weight, batchWeightMax }
    fc.assert(
      fc.property(arrivals, fc.array(fc.boolean(), { maxLength: 30 }), (items, endings) => {
        const queue = createRoundRobinQueue<Item>({ ...rules, isOneBatchPerKey: true })
        for (const item of items) queue.push(item)
        const underWay: (readonly Item[])[] = []
        const done: Item[] = []
        const isUnderWay = ({ key }: Item) => underWay.flat().some((other) => other.key === key)
        const endOldest = () => {
          const batch = underWay.shift() ?? []
          queue.finish?.(batch)
          done.push(...batch)
        }
        for (let no = 0; done.length < items.length; no += 1) {
          const left = items.filter((item) => !done.includes(item) && !underWay.flat().includes(item))
          const ready = left.filter((item) => !isUnderWay(item))
          expect(queue.count()).toBe(ready.length)
          expect(queue.weight()).toBe(weightOf(left))
          if (endings[no] || ready.length === 0) {
            endOldest()
            continue
          }
          const batch = queue.take()
          for (const item of batch) expect(ready).toContain(item)
          underWay.push(batch)
        }
        for (const key of ['a', 'b', 'c', 'd']) expect(keyOrder(done, key)).toEqual(keyOrder(items, key))
      }),
    )
  })

  it('gives a heavy item a batch of its own, and the next one when it was passed over', () => {
    const rules = { keyOf: ({ key }: Item) => key, weightOf: ({ weight }: Item) => weight, batchWeightMax: 1_000 }
    const sharingWeightMax = 8
    fc.assert(
      fc.property(arrivals, rhythm, (items, counts) => {
        const steps = play(createRoundRobinQueue<Item>({ ...rules, sharingWeightMax }), items, counts)
        expect(taken(steps).toSorted((one, other) => one.id - other.id)).toEqual(items)
        let passedOver: readonly Item[] = []
        for (const { waiting, batch } of steps) {
          const heads = [...Map.groupBy(waiting, ({ key }) => key).values()].map(([head]) => head as Item)
          const isHeavyBatch = batch.some(({ weight }) => weight > sharingWeightMax)
          expect(!isHeavyBatch || batch.length === 1).toBe(true)
          expect(isHeavyBatch || !heads.some((head) => passedOver.includes(head))).toBe(true)
          passedOver = isHeavyBatch ? [] : heads.filter(({ weight }) => weight > sharingWeightMax)
        }
      }),
    )
  })

  it('says what all that waits weighs', () => {
    const queue = openLine()
    queue.push({ id: 0, key: 'a', weight: 7 })
    queue.push({ id: 1, key: 'b', weight: 6 })
    expect(queue.weight()).toBe(13)
    queue.take()
    expect(queue.weight()).toBe(6)
  })
})
