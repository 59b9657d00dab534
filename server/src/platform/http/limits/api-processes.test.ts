import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { patienceSeconds } from '../../../../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts'
import { connectDatabase, type Db } from '../../database/database.ts'
import { watchEpoch } from '../../database/epoch.ts'
import { describeUnsharedLimits, type LimitStore, listApiProcesses, nameApiProcess } from './api-processes.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Connects as an API process does: under its own name, and reads the epoch four times a second. */
async function connectProcess(store: LimitStore) {
  const { name: applicationName } = nameApiProcess(store)
  const db: Db = connectDatabase({ url: database.applicationUrl, poolSize: 4, applicationName })
  const epoch = await watchEpoch(db)
  return {
    stop: async () => {
      epoch.stop()
      await db.destroy()
    },
  }
}

test('one process may count in its memory; a second one, of any kind, is told, until it is alone again', async () => {
  const unshared = async () => describeUnsharedLimits(await listApiProcesses(database.db))
  const shared = [await connectProcess('postgres'), await connectProcess('postgres')]
  expect(await listApiProcesses(database.db)).toHaveLength(2)
  expect(await unshared()).toBeUndefined()
  const alone = await connectProcess('memory')
  expect(await unshared()).toContain('3 API processes work on this database, of which 1 count')
  await Promise.all(shared.map((each) => each.stop()))
  await vi.waitFor(async () => expect(await unshared()).toBeUndefined(), { timeout: patienceSeconds * 1_000 })
  const second = await connectProcess('memory')
  expect(await unshared()).toContain('2 API processes work on this database, of which 2 count')
  await Promise.all([alone.stop(), second.stop()])
})
