import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { inTransaction } from './in-transaction.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function countAlarms(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from alarms`.execute(database.db)
  return rows[0]?.count ?? -1
}

test('a transaction whose COMMIT is answered with ROLLBACK is an error, not a success', async () => {
  const swallowing = inTransaction(database.db, async (tx) => {
    await sql`insert into alarms (id, name, subject, message) values (gen_random_uuid(), 'n', 's', 'm')`.execute(tx)
    await sql`select 1 / 0`.execute(tx).catch(() => undefined)
  })
  await expect(swallowing).rejects.toThrow(/transaction/i)
  expect(await countAlarms()).toBe(0)
})

test('what is thrown inside rolls everything back and reaches the caller', async () => {
  const failing = inTransaction(database.db, async (tx) => {
    await sql`insert into alarms (id, name, subject, message) values (gen_random_uuid(), 'n', 's', 'm')`.execute(tx)
    throw new Error('no further')
  })
  await expect(failing).rejects.toThrow('no further')
  expect(await countAlarms()).toBe(0)
})
