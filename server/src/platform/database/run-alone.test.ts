import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patienceSeconds } from '../../../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { lockNamed, runAlone } from './run-alone.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('work under a lock is done by one at a time; the others do nothing, and other locks are others’', async () => {
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const first = runAlone(database.db, lockNamed('one'), async () => {
    isHeld.resolve()
    await gate.promise
    done.push('first')
  })
  await isHeld.promise
  await runAlone(database.db, lockNamed('one'), async () => void done.push('second'))
  await runAlone(database.db, lockNamed('other'), async () => void done.push('other'))
  gate.resolve()
  await first
  await runAlone(database.db, lockNamed('one'), async () => void done.push('third'))
  expect(done).toEqual(['other', 'first', 'third'])
})

test('the lock is free again after work that failed, and its failure is thrown', async () => {
  const work = () => Promise.reject(new Error('the work failed'))
  await expect(runAlone(database.db, lockNamed('one'), work)).rejects.toThrow('the work failed')
  let isDone = false
  await runAlone(database.db, lockNamed('one'), async () => {
    isDone = true
  })
  expect(isDone).toBe(true)
})

test('the lock of a session that does not answer is taken from it', async () => {
  const release = Promise.withResolvers<void>()
  let hanging: Promise<unknown> = Promise.resolve()
  await runAlone(database.db, lockNamed('one'), async (connection) => {
    // Blocks the session: every later statement on it waits for this one.
    hanging = sql`select pg_sleep(600)`.execute(connection).catch(release.resolve)
  })
  await release.promise
  await hanging
  let isDone = false
  const work = async () => {
    isDone = true
  }
  const tryOnce = async () => {
    // The pool may hand out the ended session once more before it notices.
    await runAlone(database.db, lockNamed('one'), work).catch(() => undefined)
    return isDone
  }
  await expect.poll(tryOnce, { timeout: patienceSeconds * 1_000 }).toBe(true)
})
