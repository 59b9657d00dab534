import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { arrayText } from './array-text.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const texts = [
  'plain',
  '',
  ' ',
  'NULL',
  'null',
  null,
  '{"quoted":"\\"twice\\" and \\\\ back"}',
  "it's, {in} braces",
  'a\\',
  '"',
  'line\nfeed "quoted"',
  'tab\t\\t and \u0001 "quoted"',
  'Ɛyɛ 👍 "quoted"',
  '\u2028 "quoted"',
]

test('a list of texts arrives as it was sent, whatever its texts hold', async () => {
  const { rows } = await sql<{ texts: unknown }>`select ${texts}::text[] as texts`.execute(database.db)
  expect(rows[0]?.texts).toEqual(texts)
})

test('numbers, truths, dates, bytes, lists of lists and an empty list arrive as they were sent', async () => {
  const at = new Date('2026-11-22T15:00:00.123Z')
  const { rows } = await sql`
    select ${[1, -2.5, null, 9_007_199_254_740_991]}::float8[] as numbers, ${[true, false, null]}::boolean[] as truths,
      ${[at]}::timestamptz[] as dates, ${[Buffer.from('\\"')]}::bytea[] as bytes, ${[['a"b'], ['c']]}::text[] as lists,
      ${[]}::text[] as empty`.execute(database.db)
  expect(rows[0]).toEqual({
    numbers: [1, -2.5, null, 9_007_199_254_740_991],
    truths: [true, false, null],
    dates: [at],
    bytes: [Buffer.from('\\"')],
    lists: [['a"b'], ['c']],
    empty: [],
  })
})

test('what the driver must write itself is left to it', () => {
  const years = [new Date('+010000-01-01T00:00:00Z'), new Date('0000-06-01T00:00:00Z')]
  for (const time of years) {
    const times = [time]
    expect(arrayText(times)).toBe(times)
  }
})
