import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { stampMode } from './stamp-mode.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('the first start stamps the database, and a process of the other mode is refused from then on', async () => {
  await stampMode(database.db, 'simulated')
  await expect(stampMode(database.db, 'simulated')).resolves.toBeUndefined()
  await expect(stampMode(database.db, 'live')).rejects.toThrow(
    /This database is simulated, and a process that is live must not work on it/,
  )
})

test('no process can change the stamp', async () => {
  await expect(sql`update installation set mode = 'live'`.execute(database.db)).rejects.toThrow(/permission denied/)
  await expect(sql`delete from installation`.execute(database.db)).rejects.toThrow(/permission denied/)
})

test('of two first starts in different modes at the same moment one is refused', async () => {
  const other = await createTestDatabase()
  try {
    const results = await Promise.allSettled([stampMode(other.db, 'simulated'), stampMode(other.db, 'live')])
    expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  } finally {
    await other.drop()
  }
})
