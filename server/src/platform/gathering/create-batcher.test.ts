import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBatchedCall } from './create-batched-call.ts'
import {
  type Batcher,
  createBatcher,
  createFifoQueue,
  createPauseBetweenBatches,
  createRoundRobinQueue,
  waitForEventLoopTurn,
  workInHalves,
} from './create-batcher.ts'

/** A number is how many turns of the event loop pass before the next item comes, or before a batch is done. */
const turns = (maxLength: number) => fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength })

async function pass(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await waitForEventLoopTurn()
}

const atOnceRules = fc.record(
  { batchesAtOnce: fc.integer({ min: 1, max: 3 }), joinMilliseconds: fc.integer({ min: 0, max: 5 }) },
  { requiredKeys: ['batchesAtOnce'] },
)

const pauses = fc.constantFrom(
  undefined,
  () => waitForEventLoopTurn(),
  createPauseBetweenBatches(0, () => false),
)

describe('a gathering', () => {
  it('works on every item once, in order, never on too many at a time, and is drained only then', async () => {
    await fc.assert(
      fc.asyncProperty(turns(40), turns(5), atOnceRules, pauses, async (coming, lasting, rules, pause) => {
        const { batchesAtOnce: atOnce } = rules
        const begun: number[] = []
        const done: number[] = []
        let inWork = 0
        let batches = 0
        const work = async (batch: readonly number[]) => {
          begun.push(...batch)
          inWork += 1
          expect(inWork).toBeLessThanOrEqual(atOnce)
          expect(batch.length).toBeGreaterThan(0)
          expect(batch.length).toBeLessThanOrEqual(4)
          batches += 1
          await pass(lasting[batches % lasting.length] ?? 0)
          inWork -= 1
          done.push(...batch)
        }
        const items = createBatcher({ queue: createFifoQueue<number>(4), work, ...rules, ...(pause && { pause }) })
        for (const [item, count] of coming.entries()) {
          items.add(item)
          expect(items.size()).toBeGreaterThanOrEqual(item + 1 - done.length)
          await pass(count)
        }
        await items.drained()
        expect(items.size()).toBe(0)
        expect(begun).toEqual(coming.map((_, item) => item))
        expect(done.toSorted((one, other) => one - other)).toEqual(begun)
      }),
      { numRuns: 60 },
    )
  })

  it('works again on what is put back, and is not drained before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 20 }), async (triesNeeded) => {
        const tries = triesNeeded.map(() => 0)
        const work = async (batch: readonly number[]) => {
          await waitForEventLoopTurn()
          for (const item of batch) {
            tries[item] = (tries[item] ?? 0) + 1
            if ((tries[item] ?? 0) <= (triesNeeded[item] ?? 0)) items.add(item)
          }
        }
        const queue = createRoundRobinQueue<number>({ keyOf: String, weightOf: () => 1, batchWeightMax: 3 })
        const items = createBatcher({ queue, work })
        for (const item of triesNeeded.keys()) items.add(item)
        await items.drained()
        expect(tries).toEqual(triesNeeded.map((needed) => needed + 1))
      }),
      { numRuns: 60 },
    )
  })

  it('begins in the same turn of the event loop when it is idle and has no pause', () => {
    const batches: (readonly string[])[] = []
    const items = createBatcher({ queue: createFifoQueue<string>(9), work: async (batch) => void batches.push(batch) })
    items.add('one')
    expect(batches).toEqual([['one']])
  })

  it('begins beside a batch when as many wait as are worked on, or when the time to join is over', async () => {
    const batches: (readonly number[])[] = []
    const { promise: isOver, resolve: end } = Promise.withResolvers<undefined>()
    const work = async (batch: readonly number[]) => {
      batches.push(batch)
      await isOver
    }
    const aLongTime = 1_000_000
    const [patient, hasty] = [aLongTime, 1].map((joinMilliseconds) =>
      createBatcher({ queue: createFifoQueue<number>(9), work, batchesAtOnce: 2, joinMilliseconds, pause: waitForEventLoopTurn }),
    ) as [Batcher<number>, Batcher<number>]
    for (const item of [1, 2]) patient.add(item)
    await pass(2)
    patient.add(3)
    await pass(9)
    expect(batches).toEqual([[1, 2]])
    patient.add(4)
    await pass(2)
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ])
    for (const item of [5, 6]) hasty.add(item)
    await pass(2)
    hasty.add(7)
    await expect.poll(() => batches.slice(2)).toEqual([[5, 6], [7]])
    end(undefined)
    await Promise.all([patient.drained(), hasty.drained()])
  })

  it('lets what a full batch leaves begin beside it after a while, even if no more comes', async () => {
    const batches: (readonly string[])[] = []
    const ends: (() => void)[] = []
    const work = async (batch: readonly string[]) => {
      batches.push(batch)
      await new Promise<void>((resolve) => ends.push(resolve))
    }
    // The weight of an item is its length, and a batch holds four.
    const queue = createRoundRobinQueue<string>({
      keyOf: (item) => item,
      weightOf: ({ length }) => length,
      batchWeightMax: 4,
      sharingWeightMax: 4,
      isOneBatchPerKey: true,
    })
    const items = createBatcher({ queue, work, batchesAtOnce: 2, joinMilliseconds: 200, pause: waitForEventLoopTurn })
    for (const item of ['a', 'b', 'c', 'd']) items.add(item)
    await expect.poll(() => batches).toEqual([['a', 'b', 'c', 'd']])
    for (const item of ['ee', 'ff', 'gg']) items.add(item)
    ends.shift()?.()
    await expect.poll(() => batches.slice(1)).toEqual([['ee', 'ff'], ['gg']])
    for (const end of ends) end()
    await items.drained()
  })

  it('with a rest takes what one turn of the event loop brings together, and waits for no full batch', async () => {
    const batches: (readonly number[])[] = []
    const queue = createFifoQueue<number>(3)
    const aLongTime = 1_000
    const pause = createPauseBetweenBatches(aLongTime, () => queue.count() >= 3)
    const items = createBatcher({ queue, work: async (batch) => void batches.push(batch), pause })
    for (let item = 0; item < 6; item += 1) items.add(item)
    await pass(5)
    expect(batches).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ])
  })
})

describe('a batch that fails because of some of its items', () => {
  it('is worked on apart: those stand alone, and every other item is worked on once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (isPoison) => {
        const worked: number[] = []
        const givenUp: (readonly number[])[] = []
        await workInHalves([...isPoison.keys()], {
          work: async (batch) => {
            await waitForEventLoopTurn()
            if (batch.some((item) => isPoison[item])) throw new Error('poison')
            worked.push(...batch)
          },
          giveUp: (batch) => givenUp.push(batch),
        })
        const expected = Map.groupBy(isPoison.keys(), (item) => isPoison[item])
        expect(worked).toEqual(expected.get(false) ?? [])
        expect(givenUp).toEqual((expected.get(true) ?? []).map((item) => [item]))
      }),
      { numRuns: 60 },
    )
  })

  it('is given up whole when no item is to blame', async () => {
    const tried: (readonly number[])[] = []
    const givenUp: (readonly number[])[] = []
    await workInHalves([1, 2, 3], {
      work: (batch) => {
        tried.push(batch)
        return Promise.reject(new Error('away'))
      },
      isOneToBlame: () => false,
      giveUp: (batch) => givenUp.push(batch),
    })
    expect(tried).toEqual([[1, 2, 3]])
    expect(givenUp).toEqual([[1, 2, 3]])
  })
})

describe('gathered questions', () => {
  it('get each its own answer, or the error of its own', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 0, max: 1 }),
        async (isPoison, rest) => {
          const ask = createBatchedCall({
            batchMax: 5,
            restMilliseconds: rest,
            answer: async (questions: readonly number[]) => {
              await waitForEventLoopTurn()
              const poison = questions.find((question) => isPoison[question])
              if (poison !== undefined) throw new Error(`poison ${poison}`)
              return questions.map((question) => `answer ${question}`)
            },
            isOneToBlame: () => true,
          })
          const answers = await Promise.allSettled(isPoison.map((_, question) => ask(question)))
          const heard = answers.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))
          expect(heard).toEqual(isPoison.map((bad, question) => (bad ? `Error: poison ${question}` : `answer ${question}`)))
        },
      ),
      { numRuns: 40 },
    )
  })
})
