import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { newId } from './new-id.ts'
import { rowsOf } from './rows-of.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

type Line = { readonly name: string; readonly count: number; readonly isNew: boolean; readonly at: Date | null }

const lines: readonly Line[] = [
  { name: 'one, "quoted"', count: 1, isNew: true, at: new Date('2026-01-02T03:04:05Z') },
  { name: '', count: 2, isNew: false, at: null },
]

it('gives every column of a table the value that its name reads, null among them', async () => {
  const rows = rowsOf(lines, {
    from: ['text', (line) => line.name],
    count: ['bigint', (line) => line.count],
    is_new: ['boolean', (line) => line.isNew],
    at: ['timestamptz', (line) => line.at],
  })
  const read = await sql`select item.from as name, count, is_new, at from ${rows.as('item')} order by count`.execute(database.db)
  expect(read.rows).toEqual(lines.map(({ isNew, ...line }) => ({ ...line, is_new: isNew })))
})

it('gives any text to the database as it is', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('"', '\\', ',', '{', '}', ' ', '\n', 'NULL', 'ä', '😀') }), {
    maxLength: 20,
  })
  return fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const rows = rowsOf([...given.entries()], { n: ['integer', ([n]) => n], text: ['text', ([, text]) => text] })
      const read = await sql<{ text: string }>`select text from ${rows.as('item')} order by n`.execute(database.db)
      expect(read.rows.map(({ text }) => text)).toEqual(given)
    }),
  )
})

it('is an empty table of the same columns when there are no items', async () => {
  const rows = rowsOf([] as readonly Line[], { name: ['text', (line) => line.name] })
  expect((await sql`select name from ${rows.as('item')}`.execute(database.db)).rows).toEqual([])
})

it('inserts by the names of the columns, in whatever order they are listed, and finds the rows by them', async () => {
  const { db } = database
  const alarms = ['first', 'second'].map((subject) => ({ id: newId(), subject }))
  await sql`insert into alarms ${rowsOf(alarms, {
    message: ['text', ({ subject }) => `message of ${subject}`],
    subject: ['text', ({ subject }) => subject],
    name: ['text', () => 'rows'],
    id: ['uuid', ({ id }) => id],
  }).forInsert()}`.execute(db)
  const wanted = rowsOf(['second', 'third'], { subject: ['text', (subject) => subject], name: ['text', () => 'rows'] })
  const found = await sql`select id, message from alarms where ${wanted.matching('alarms')}`.execute(db)
  expect(found.rows).toEqual([{ id: alarms[1]?.id, message: 'message of second' }])
})

it('names the arguments of a function, so that their order does not matter and a wrong name is refused', async () => {
  await sql`create function pair_lines(names text[], counts bigint[], mark text) returns text language sql as
    $$ select string_agg(name || count || mark, ' ' order by count) from unnest(names, counts) as line (name, count) $$`.execute(
    database.ownerDb,
  )
  const pair = (columns: ReturnType<typeof rowsOf>) =>
    sql`select pair_lines(mark => '!', ${columns.asArguments()}) as pairs`.execute(database.ownerDb)
  const items = [
    { name: 'a', count: 1 },
    { name: 'b', count: 2 },
  ]
  const paired = await pair(rowsOf(items, { counts: ['bigint', ({ count }) => count], names: ['text', ({ name }) => name] }))
  expect(paired.rows).toEqual([{ pairs: 'a1! b2!' }])
  await expect(
    pair(rowsOf(items, { counts: ['bigint', ({ count }) => count], words: ['text', ({ name }) => name] })),
  ).rejects.toThrow('does not exist')
})

it('does not compile when a column reads what its type cannot hold', () => {
  rowsOf(lines, {
    // @ts-expect-error a number is no text
    name: ['text', (line) => line.count],
    // @ts-expect-error a text is no number
    count: ['bigint', (line) => line.name],
    // @ts-expect-error there is no such type
    at: ['date', (line) => line.at],
  })
  expect(lines).toHaveLength(2)
})
