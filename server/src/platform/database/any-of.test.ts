import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { anyOf } from './any-of.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('a look-up by a short list is planned anew only until PostgreSQL knows a plan for all lists', async () => {
  const [looked] = await database.db.connection().execute(async (db) => {
    const look = sql`select setting.name from settings as setting where name = ${anyOf('text', [])}`.compile(db)
    // Prepared here, because a process itself prepares only the first few hundred statements that it sends.
    await sql`prepare look (text[]) as ${sql.raw(look.sql)}`.execute(db)
    for (let times = 0; times < 12; times += 1) await sql`execute look (array['one', 'two'])`.execute(db)
    const { rows } = await sql<{ generic: number }>`
      select generic_plans as generic from pg_prepared_statements where name = 'look'`.execute(db)
    return rows
  })
  expect(looked?.generic).toBeGreaterThan(0)
})

it('finds the rows of the list, and none for an empty list', async () => {
  const found = async (names: readonly string[]) =>
    (
      await sql<{ n: string }>`select n from unnest(array['a', 'b', 'c']) as n where n = ${anyOf('text', names)}`.execute(
        database.db,
      )
    ).rows
  expect(await found(['c', 'x', 'a', 'a'])).toEqual([{ n: 'a' }, { n: 'c' }])
  expect(await found([])).toEqual([])
})
