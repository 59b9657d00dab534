import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { untilTrue } from '../../../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { type Hints, listenForHints } from './listen-for-hints.ts'
import { openPollPace } from './poll-pace.ts'
import { openHints } from './send-hints.ts'
import { sharePolls } from './share-polls.ts'

let database: TestDatabase
let hints: Hints
let heard = 0
beforeAll(async () => {
  database = await createTestDatabase()
  hints = listenForHints(database.applicationUrl)
  hints.onHint(() => (heard += 1))
})
afterAll(async () => {
  await hints.stop()
  await database.drop()
})

test('a hint reaches whoever listens, and again after the connection was cut', async () => {
  const hint = openHints(database.db)
  await untilTrue(
    () => hints.isListening(),
    () => 'nobody listens',
  )
  const before = heard
  hint()
  await untilTrue(
    () => heard > before,
    () => 'no hint came',
  )
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'makola hints' and datname = current_database()`.execute(database.ownerDb)
  await untilTrue(
    () => !hints.isListening(),
    () => 'the cut was not noticed',
  )
  await untilTrue(
    () => hints.isListening(),
    () => 'nobody listens',
  )
  const again = heard
  hint()
  await untilTrue(
    () => heard > again,
    () => 'no hint came',
  )
  expect(heard).toBeGreaterThan(again)
})

test('a loop rests after ten seconds without work, but only while hints arrive, and a hint ends its rest', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  let isListening = true
  let tell: () => void = () => undefined
  const pace = openPollPace(150, {
    isListening: () => isListening,
    onHint: (listener) => (tell = listener),
    stop: async () => {},
  })
  const pauses = () => [pace.pauseMilliseconds(), openPollPace(150, undefined).pauseMilliseconds()]
  expect(pauses()).toEqual([150, 150])
  now = 10_001
  // A resting loop wakes together with the other waits of its process: here at the next whole second.
  expect(pauses()).toEqual([999, 150])
  isListening = false
  expect(pauses()).toEqual([150, 150])
  isListening = true
  const resting = pace.pause(new AbortController().signal)
  tell()
  await resting
  expect(pauses()).toEqual([150, 150])
  vi.restoreAllMocks()
})

test('resting loops that look at the same moment ask in one statement; a failed or late one answers yes to all', async () => {
  const statements: string[] = []
  const watched = database.db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const askDue = sharePolls(watched, { warn: () => undefined })
  const ask = () => Promise.all([askDue(sql`1 = 1`), askDue(sql`1 = 2`), askDue(sql`exists (select from cache_epoch)`)])
  // If the machine stalls, the statement may be late. Then all conditions count as true.
  await expect
    .poll(async () => {
      statements.length = 0
      const answers = await ask()
      return [answers, statements.length]
    })
    .toEqual([[true, false, true], 1])
  expect(await Promise.all([askDue(sql`1 = 2`), askDue(sql`exists (select from no_table)`)])).toEqual([true, true])
  await inTransaction(database.ownerDb, async (tx) => {
    await sql`lock table cache_epoch`.execute(tx)
    expect(await ask()).toEqual([true, true, true])
    // Nothing more is asked while that statement waits for its lock.
    const count = statements.length
    expect(await askDue(sql`1 = 2`)).toBe(true)
    expect(statements).toHaveLength(count)
  })
})
