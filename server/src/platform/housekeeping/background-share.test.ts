import { EventEmitter, once } from 'node:events'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { untilTrue } from '../../../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import type { Hints } from '../polling/listen-for-hints.ts'
import { followSalesLatency, openBackgroundShare, restTimes, restTimesOf } from './background-share.ts'
import { runTimers, type Timer } from './run-timers.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
afterEach(() => vi.restoreAllMocks())

/** Makes hints that come when the test calls `tell`, without PostgreSQL. */
function createHints() {
  let tell: (batchMilliseconds?: number) => void = () => undefined
  let isListening = true
  const hints: Hints = { isListening: () => isListening, onHint: (listener) => (tell = listener), stop: async () => {} }
  return { hints, tell: (batchMilliseconds?: number) => tell(batchMilliseconds), stopListening: () => (isListening = false) }
}

describe('the share of background work', () => {
  it('grows while nobody buys, shrinks as sales get slower, and is never nothing', () => {
    expect(restTimesOf(0, 0)).toBe(restTimes.quiet)
    expect(restTimesOf(undefined, 0)).toBe(restTimes.busy)
    expect(restTimesOf(1, 0)).toBe(restTimes.busy)
    expect(restTimesOf(3, 0)).toBe(3 * restTimes.busy)
    expect(restTimesOf(1_000, 0)).toBe(restTimes.most)
    // After an hour a backlog gets half of a connection or more, however slow sales are.
    expect(restTimesOf(1_000, 3_600)).toBeLessThan(1)
    expect(restTimesOf(1_000, 1e9)).toBe(restTimes.quiet)
  })

  it('knows how slow sales are beside their best, from what the APIs report', () => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const { hints, tell, stopListening } = createHints()
    const latency = followSalesLatency(hints)
    expect(latency.slowness()).toBe(0)
    for (let time = 0; time < 20; time += 1) tell(4)
    tell()
    expect(latency.slowness()).toBeCloseTo(1)
    for (let time = 0; time < 40; time += 1) tell(20)
    expect(latency.slowness()).toBeGreaterThan(4)
    now = 2_001
    expect(latency.slowness()).toBe(0)
    stopListening()
    expect(latency.slowness()).toBeUndefined()
  })

  it('is taken by one piece at a time, in the order in which they came, with a rest after each', async () => {
    const { hints, tell } = createHints()
    const share = openBackgroundShare(hints)
    tell(4)
    const happened: string[] = []
    const done = new EventEmitter()
    const piece = (name: string) =>
      share.piece(async () => {
        happened.push(`${name} begins`)
        await sql`select pg_sleep(0.02)`.execute(database.db)
        happened.push(`${name} ends`)
        done.emit(name)
      })
    const [firstEnds, all] = [once(done, 'first'), Promise.all([piece('first'), piece('second')])]
    await firstEnds
    // The second piece waits although nothing runs: the first one's rest is not over.
    await new Promise((resolve) => setImmediate(resolve))
    expect(happened).toEqual(['first begins', 'first ends'])
    await all
    expect(happened).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
    share.close()
    await expect(piece('third')).rejects.toThrow('aborted')
  })

  it('belongs to one worker at a time, whatever its timers are, and goes to another when it is done', async () => {
    const running = new Map<number, number>()
    let mostAtOnce = 0
    const ran = new Set<string>()
    const count = (worker: number, change: number) => running.set(worker, (running.get(worker) ?? 0) + change)
    const runBy = (worker: number, name: string): Timer => ({
      name,
      everySeconds: 0.02,
      isExclusive: true,
      isBackground: true,
      run: async () => {
        count(worker, 1)
        mostAtOnce = Math.max(mostAtOnce, [...running.values()].filter((timers) => timers > 0).length)
        await sql`select pg_sleep(0.01)`.execute(database.db)
        count(worker, -1)
        ran.add(`${worker} ${name}`)
      },
    })
    const log = pino({ level: 'silent' })
    const workers = [1, 2].map((worker) => runTimers(database.db, log, [runBy(worker, 'one'), runBy(worker, 'other')]))
    await untilTrue(
      () => ran.size === 4,
      () => `only ${[...ran].join(', ')} ran`,
    )
    await Promise.all(workers.map((timers) => timers.stop()))
    expect(mostAtOnce).toBe(1)
  })
})
