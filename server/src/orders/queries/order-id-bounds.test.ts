import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { expect, it } from 'vitest'
import { firstIdAt } from '../../platform/database/first-id-at.ts'
import { cutByQuarter, cutIdBounds, type IdBounds } from './order-id-bounds.ts'

const db = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

const compile = (bounds: IdBounds | undefined) => (bounds ? sql`${bounds('id')}`.compile(db) : undefined)
const idOf = (moment: string) => firstIdAt(Date.parse(moment))

it('ids are divided by quarters in their order, and the bounds of a quarter are in the text of the statement', () => {
  const moments = ['2026-04-01T00:00:00Z', '2026-03-31T23:59:59Z', '2026-01-01T00:00:00Z', '2025-12-31T23:59:59Z']
  const [second, first, before] = cutByQuarter(moments.map(idOf))
  expect([second?.ids, first?.ids, before?.ids]).toEqual([
    [idOf('2026-04-01T00:00:00Z')],
    [idOf('2026-03-31T23:59:59Z'), idOf('2026-01-01T00:00:00Z')],
    [idOf('2025-12-31T23:59:59Z')],
  ])
  const [start, end] = [idOf('2026-01-01T00:00:00Z'), idOf('2026-04-01T00:00:00Z')]
  expect(compile(first?.within)).toMatchObject({ sql: `("id" >= '${start}'::uuid and "id" < '${end}'::uuid)`, parameters: [] })
})

it('the newest orders are looked for from the month before on, which is in the text, and older ones up to it', () => {
  const now = new Date()
  const cut = firstIdAt(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1))
  const [late, early, ...more] = cutIdBounds({}, undefined).map(compile)
  expect(late).toMatchObject({ sql: expect.stringContaining(`"id" >= '${cut}'::uuid`) as string, parameters: [] })
  expect(early?.parameters).toEqual([cut])
  expect(more).toEqual([])
})

it('lists that end long ago have one text for all times', () => {
  const before = ['2026-05-20T00:00:00Z', '2025-05-20T00:00:00Z'].map((end) => cutIdBounds({}, idOf(end)).map(compile))
  const [one, other] = before.map((bounds) => bounds.map((each) => each?.sql))
  expect(one).toEqual(other)
  expect(before[0]?.map((each) => each?.parameters.at(-1))).toEqual([idOf('2026-04-01T00:00:00Z'), idOf('2026-04-01T00:00:00Z')])
})
