import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { addRoutes, balanceOf, makeAccount, placeTestOrders } from '../orders/order-bench.fixture.ts'

const commandLine = fileURLToPath(new URL('../cli.ts', import.meta.url))

let database: TestDatabase
let accountId: string

beforeAll(async () => {
  database = await createTestDatabase()
  await addRoutes(database.db, ['stub'])
  accountId = await makeAccount(database.db, 1_000)
})
afterAll(() => database.drop())

// The shape of each command's document is what these tests are about.
// oxlint-disable-next-line typescript/no-explicit-any
type Ran = { code: number; json: any }

function makola(...words: string[]): Promise<Ran> {
  const env = { ...process.env, DATABASE_URL: database.applicationUrl, SECRETS_KEY: randomBytes(32).toString('base64') }
  return new Promise((resolve) => {
    execFile(process.execPath, [commandLine, ...words, '--json'], { env }, (error, stdout) => {
      resolve({ code: error ? Number(error.code) : 0, json: stdout === '' ? undefined : JSON.parse(stdout) })
    })
  })
}

test('an order can be listed, shown, asked about, and settled by two people, each written to the operator’s log', async () => {
  const [order] = await placeTestOrders(database.db, accountId, ['0240000000'], { pricePesewas: 500 })
  const { reference } = order!
  expect((await makola('order', 'list', '--status', 'pending')).json.orders).toMatchObject([
    { reference, status: 'pending', price: 5 },
  ])
  expect((await makola('order', 'show', reference)).json.orders).toMatchObject([
    { reference, open: { next_step: 'send', hold_reason: null } },
  ])
  expect((await makola('order', 'ask', reference)).code).toBe(0)
  const settle = ['order', 'settle', reference, '--as', 'failed', '--evidence', 'ticket 4711', '--by']
  expect((await makola(...settle, 'ama')).json.orders).toMatchObject([
    { status: 'pending', proposals: [{ proposed_by: 'ama', confirmed_by: null }] },
  ])
  expect((await makola(...settle, 'kofi')).json.orders).toMatchObject([{ status: 'refunded', open: null }])
  expect(await balanceOf(database.db, accountId)).toBe(1_000)
  const log = await database.db.selectFrom('operator_log').select(['action', 'subject']).orderBy('id').execute()
  expect(log.map(({ action }) => action)).toEqual(['order ask', 'order settle propose', 'order settle confirm'])
  expect(await makola('order', 'ask', reference)).toMatchObject({
    code: 1,
    json: { error: { message: expect.stringContaining('refunded') as string } },
  })
  expect((await makola('order', 'refund', reference)).code).toBe(1)
}, 60_000)

test('an unknown reference fails, a wrong outcome is wrong usage', async () => {
  expect((await makola('order', 'show', 'nobody/knows %ɛ')).code).toBe(1)
  expect((await makola('order', 'settle', 'x', '--as', 'perhaps', '--evidence', 'e', '--by', 'ama')).code).toBe(2)
}, 30_000)
