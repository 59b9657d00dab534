import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { pesewas } from '../../money/pesewas.ts'
import { addRoutes } from '../../orders/dispatch/order-bench.fixture.ts'
import { openStubAdapter } from '../../orders/dispatch/stub-supplier.fixture.ts'
import type { FloatAnswer, SupplierAnswer } from '../ports.ts'
import { probePausedRoutes } from './probe-paused-routes.ts'
import { readRoutes } from './read-routes.ts'
import { resumeRoutes } from './resume-route.ts'
import { watchSilence } from './watch-silence.ts'

const route = 'stub/data/MTN'
const unknown: SupplierAnswer = { meaning: 'unknown', evidence: 'time-out' }
const good: FloatAnswer = { meaning: 'read', floatPesewas: pesewas(1_000_000) }
const log = pino({ level: 'silent' })

let database: TestDatabase
let float: FloatAnswer
let note: ReturnType<typeof watchSilence>

const supplier = { ...openStubAdapter('http://127.0.0.1:9'), readFloat: () => Promise.resolve(float) }
const registry = { find: (name: string) => (name === 'stub' ? supplier : undefined) }

beforeAll(async () => {
  database = await createTestDatabase()
  await addRoutes(database.db, ['stub', 'second'])
  await database.db.insertInto('routes').values({ supplier: 'stub', product: 'data', network: 'Telecel', priority: 1 }).execute()
})
beforeEach(async () => {
  await database.db.transaction().execute((tx) => resumeRoutes(tx as never, { supplier: 'stub' }))
  note = watchSilence({ db: database.db, registry, log })
  float = { meaning: 'unknown', evidence: 'time-out' }
})
afterAll(() => database.drop())

async function noteAll(answers: readonly SupplierAnswer[]): Promise<string[]> {
  const paused: string[] = []
  for (const answer of answers) paused.push(...(await note({ route, answer })))
  return paused
}

describe('a supplier that has gone silent', () => {
  it('is paused on all its routes after three sends in a row, when its balance read is silent too', async () => {
    expect(await noteAll([unknown, unknown])).toEqual([])
    expect((await noteAll([{ meaning: 'unreachable', evidence: 'refused' }])).toSorted()).toEqual([route, 'stub/data/Telecel'])
    const routes = await readRoutes(database.db)
    expect(routes.find(({ name }) => name === route)?.health).toMatchObject({ state: 'paused', reason: 'silent' })
    expect(routes.find(({ name }) => name === 'second/data/MTN')?.health).toEqual({ state: 'open' })
  })

  it('is opened again by a good balance read, not by a silent one', async () => {
    await noteAll([unknown, unknown, unknown])
    const letTimePass = () =>
      database.db
        .updateTable('routes')
        .set({ paused_until: new Date(0) })
        .where('state', '=', 'paused')
        .execute()
    await letTimePass()
    expect(await probePausedRoutes({ db: database.db, registry, log })).toEqual([])
    float = good
    await letTimePass()
    const reopened = await probePausedRoutes({ db: database.db, registry, log })
    expect(reopened.toSorted()).toEqual([route, 'stub/data/Telecel'])
  })

  it.each<SupplierAnswer>([
    { meaning: 'rejected_recipient', evidence: 'no such number' },
    { meaning: 'accepted', evidence: 'ok' },
    { meaning: 'throttled', retryAfterSeconds: 1, evidence: '429' },
    { meaning: 'unreachable', hasSpoken: true, evidence: '0005' },
    { meaning: 'unknown', hasSpoken: true, evidence: 'completed, without a reference' },
  ])('is not one that spoke in between: $meaning', async (spoken) => {
    expect(await noteAll([unknown, unknown, spoken, unknown, unknown])).toEqual([])
  })

  it('loses only the route of its purchases, and later, while its balance read is answered', async () => {
    float = good
    expect(await noteAll(Array.from({ length: 9 }, () => unknown))).toEqual([])
    expect(await noteAll([unknown])).toEqual([route])
  })

  it('is not told from sends that we held back ourselves', async () => {
    expect(await noteAll(Array.from({ length: 20 }, () => ({ meaning: 'not_sent', evidence: 'late' }) as const))).toEqual([])
  })
})
