import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a read without parameters is planned once per connection, and several commands may still be sent together', async () => {
  // A process prepares only the first few hundred statements that it sends, and other tests may have sent those.
  vi.resetModules()
  const { connectDatabase } = await import('./database.ts')
  const db = connectDatabase({ url: database.applicationUrl, poolSize: 1, applicationName: 'makola tests' })
  try {
    const look = sql`select exists (select from sms_campaigns where status = 'queued') as due`
    for (let read = 0; read < 3; read += 1) await look.execute(db)
    await sql`select 1; select 2`.execute(db)
    const { rows } = await sql<{ statement: string; uses: number }>`
      select statement, generic_plans::int as uses from pg_prepared_statements`.execute(db)
    expect(rows).toContainEqual({
      statement: "select exists (select from sms_campaigns where status = 'queued') as due",
      uses: 3,
    })
  } finally {
    await db.destroy()
  }
})
