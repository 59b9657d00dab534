import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { checkSchema, migrate } from './migrate.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('migrating twice changes nothing the second time', async () => {
  expect(await migrate(database.ownerDb)).toEqual([])
})

test('the schema check accepts a migrated database, seen by the application role', async () => {
  await expect(checkSchema(database.db)).resolves.toBeUndefined()
})

test('the application role cannot change or remove a transfer', async () => {
  await expect(sql`update transfers set amount = 1`.execute(database.db)).rejects.toThrow(/permission denied/)
  await expect(sql`delete from transfers`.execute(database.db)).rejects.toThrow(/permission denied/)
})
