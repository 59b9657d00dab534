import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { singleOperator } from '../../platform/approvals/two-people.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { products } from '../../products/products.ts'
import { addRoutes, makeAccount } from '../dispatch/order-bench.fixture.ts'
import { placeTestOrders } from '../intake/place-test-orders.fixture.ts'
import { readOrderHistory } from '../queries/read-order-history.ts'
import { settleByPeople } from './settle-by-people.ts'

let database: TestDatabase
let accountId: string

beforeAll(async () => {
  database = await createTestDatabase()
  await addRoutes(database.db, ['stub'])
  accountId = await makeAccount(database.db, 2_000)
})
afterAll(() => database.drop())

async function placed(): Promise<string> {
  const [order] = await placeTestOrders(database.db, accountId, ['0240000000'], { pricePesewas: 500 })
  return order!.orderId
}
const settle = (orderId: string, by: string, osUser: string) =>
  settleByPeople(database.db, products, { orderId, outcome: 'failed', evidence: 'ticket', person: { by, osUser } })

test('two names of one user settle an order with the simulator, and who typed them is kept', async () => {
  const orderId = await placed()
  await settle(orderId, 'ama', 'desk')
  expect(await settle(orderId, 'kofi', 'desk')).toMatchObject({ state: 'settled' })
  expect((await readOrderHistory(database.db, products, orderId))?.proposals).toMatchObject([
    { proposedBy: 'ama', proposedOsUser: 'desk', confirmedBy: 'kofi', confirmedOsUser: 'desk' },
  ])
})

test('live, they are refused until single_operator is set; two users settle it', async () => {
  await database.ownerDb.insertInto('installation').values({ mode: 'live' }).execute()
  const [first, second] = [await placed(), await placed()]
  await settle(first, 'ama', 'desk')
  expect(await settle(first, 'kofi', 'desk')).toMatchObject({
    state: 'refused',
    why: expect.stringContaining('desk typed both names') as string,
  })
  expect(await settle(first, 'kofi', 'kofi')).toMatchObject({ state: 'settled' })
  await writeSetting(database.db, singleOperator, true, 'test')
  await settle(second, 'ama', 'desk')
  expect(await settle(second, 'kofi', 'desk')).toMatchObject({ state: 'settled' })
})
