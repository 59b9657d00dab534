import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { explainStatements } from '../../../test/running/explain-statements.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { findAccountsFor } from './find-accounts.ts'

let database: TestDatabase

const numbered = (no: number) => `00000000-0000-7000-8000-${String(no).padStart(12, '0')}`

/** Makes 100,000 accounts. In each thousand, one has a name that begins with Kwabɛna. */
async function makeManyAccounts(): Promise<void> {
  const { ownerDb: owner } = database
  // Building this index at the end is faster than filling it row by row.
  const { rows } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where indexname = 'accounts_by_folded_parts'`.execute(owner)
  await sql`drop index accounts_by_folded_parts`.execute(owner)
  await sql`
    insert into accounts (id, email, name, role)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'no-' || n || '@a.test',
      case when n % 1000 = 7 then 'Kwabɛna ' else 'Adwoa ' end || n, 'agent'
    from generate_series(1, 100000) as n`.execute(owner)
  await sql`insert into wallets (account_id, purse) select id, 'main' from accounts`.execute(owner)
  for (const { definition } of rows) await sql.raw(definition).execute(owner)
  await sql`analyze accounts, wallets`.execute(owner)
}

beforeAll(async () => {
  database = await createTestDatabase()
  await makeManyAccounts()
})
afterAll(() => database.drop())

/** Each search: its name, its text, the accounts on its page of 50, and the rows of tables and indexes that it may read. */
const searches: readonly (readonly [name: string, search: string, fitting: number, rowsMax: number])[] = [
  ['a part of a name', 'kwabena', 50, 1_000],
  ['two words', 'kwabena 77007', 1, 100],
  ['an e-mail', 'no-77007@a.test', 1, 100],
  ['an id', numbered(77_007), 1, 100],
  ['the end of a key', '…a007', 0, 100],
  ['a number', '024 107 7007', 0, 100],
  ['a text that nobody has', 'nobody-at-all', 0, 100],
  // Once 2,000 are found, the list is read in its order instead.
  ['a text that all have', 'a.test', 50, 3_000],
]

describe('of 100,000 accounts, the first page of a search', () => {
  it.each(searches)('for %s reads little else', async (_name, search, fitting, rowsMax) => {
    const query = { search, limit: 50 }
    expect((await findAccountsFor(database.db, query)).accounts).toHaveLength(fitting)
    const scans = await explainStatements(database.applicationUrl, (db) => findAccountsFor(db, query))
    expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(rowsMax)
  })
})
