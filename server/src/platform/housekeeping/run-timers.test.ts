import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { untilTrue } from '../../../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { connectDatabase } from '../database/database.ts'
import { runTimers, type Timer } from './run-timers.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const log = pino({ level: 'silent' })

test('exclusive work is done by one process at a time, and goes on after a failure', async () => {
  const sixRuns = Promise.withResolvers<void>()
  let running = 0
  let runs = 0
  let mostAtOnce = 0
  const timer: Timer = {
    name: 'test',
    everySeconds: 0.02,
    isExclusive: true,
    run: async () => {
      running += 1
      mostAtOnce = Math.max(mostAtOnce, running)
      // The work takes longer than the interval, so that the other processes look while it runs.
      await sleep(30)
      running -= 1
      runs += 1
      if (runs === 6) sixRuns.resolve()
      if (runs === 2) throw new Error('once')
    },
  }
  const processes = [
    runTimers(database.db, log, [timer]),
    runTimers(database.db, log, [timer]),
    runTimers(database.db, log, [timer]),
  ]
  await sixRuns.promise
  await Promise.all(processes.map((timers) => timers.stop()))
  expect(mostAtOnce).toBe(1)
  const runsAtStop = runs
  const fiveRuns = Promise.withResolvers<void>()
  let later = 0
  const another: Timer = {
    ...timer,
    name: 'another',
    run: async () => {
      later += 1
      if (later === 5) fiveRuns.resolve()
    },
  }
  const timers = runTimers(database.db, log, [another])
  await fiveRuns.promise
  await timers.stop()
  expect(runs).toBe(runsAtStop)
})

test('a timer that says when it is due runs only then, and once at a time', async () => {
  await sql`create table due_things (id integer)`.execute(database.ownerDb)
  await sql`grant all on due_things to makola_app`.execute(database.ownerDb)
  const seen: number[] = []
  const timer: Timer = {
    name: 'due',
    everySeconds: 0.01,
    isExclusive: false,
    isDue: sql`exists (select from due_things)`,
    run: async () => {
      const { rows } = await sql<{ id: number }>`delete from due_things returning id`.execute(database.db)
      seen.push(rows.length)
    },
  }
  const often: Timer = { name: 'often', everySeconds: 0.01, isExclusive: false, run: async () => {} }
  const timers = runTimers(database.db, log, [timer, often])
  for (const id of [1, 2]) {
    await sql`insert into due_things values (${id})`.execute(database.ownerDb)
    await untilTrue(
      () => seen.length === id,
      () => 'what was due was not done',
    )
  }
  await timers.stop()
  expect(seen).toEqual([1, 1])
})

test('a timer with a second between its runs that is always due runs at each look, also after one that came late', async () => {
  const looks = Promise.withResolvers<number>()
  let lookCount = 0
  let runs = 0
  const [isDue, isEachLook] = [sql`true`, sql`false`]
  const due: Timer = { name: 'due', everySeconds: 1, isExclusive: false, isDue, run: async () => void (runs += 1) }
  const eachLook: Timer = { name: 'each look', everySeconds: 0.01, isExclusive: false, isDue: isEachLook, run: async () => {} }
  const holdLoop = () => {
    const until = performance.now() + 1_300
    while (performance.now() < until);
  }
  const timers = runTimers(database.db, log, [due, eachLook], async (condition) => {
    if (condition === isDue) return true
    lookCount += 1
    if (lookCount === 2) globalThis.setTimeout(holdLoop)
    if (lookCount === 6) looks.resolve(runs)
    return false
  })
  const runsBeforeLastLook = await looks.promise
  await timers.stop()
  expect(runsBeforeLastLook).toBe(5)
})

test('exclusive timers that are due together leave connections of the pool for their work', async () => {
  const runs = Promise.withResolvers<void>()
  const names = Array.from({ length: 12 }, (_, index) => `crowd ${index}`)
  const done = new Set<string>()
  const crowd = names.map(
    (name): Timer => ({
      name,
      everySeconds: 0.02,
      isExclusive: true,
      run: async () => {
        await sql`select pg_sleep(0.05)`.execute(pool)
        done.add(name)
        if (done.size === names.length) runs.resolve()
      },
    }),
  )
  const warnings: unknown[] = []
  const pool = connectDatabase({
    url: database.applicationUrl,
    poolSize: 5,
    applicationName: 'makola tests',
    connectTimeoutMilliseconds: 30_000,
  })
  const timers = runTimers(pool, { ...log, warn: (warning: unknown) => warnings.push(warning) } as typeof log, crowd)
  await runs.promise
  await timers.stop()
  await pool.destroy()
  expect(warnings).toEqual([])
})
