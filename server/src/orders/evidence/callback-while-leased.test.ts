import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import type { DataSupplier } from '../../suppliers/ports.ts'
import { addRoutes, type Bench, makeAccount, openBench, untilStatus } from '../dispatch/order-bench.fixture.ts'
import { openStubAdapter } from '../dispatch/stub-supplier.fixture.ts'
import { placeTestOrders } from '../intake/place-test-orders.fixture.ts'
import { recordCallbacks } from './record-callbacks.ts'

/** The next question is ten minutes away, so only the callback can make the worker ask during the test. */
const patient = { delaysSeconds: [600], maximumInFlightSeconds: 0, raiseAfterSeconds: 3_600 }

let database: TestDatabase
let bench: Bench

beforeAll(async () => {
  database = await createTestDatabase()
  await addRoutes(database.db, ['stub'])
  bench = await openBench(database.db)
})
afterAll(async () => {
  await bench.close()
  await database.drop()
})

test('a callback that comes while the order is leased makes the next question due, whatever the answer under way says', async () => {
  const accountId = await makeAccount(database.db)
  const [order] = await placeTestOrders(database.db, accountId, ['0240000000'])
  let asked = 0
  const supplier: DataSupplier = {
    ...openStubAdapter('http://127.0.0.1:9', { askSchedule: patient }),
    buyData: async (_request, attempt) => {
      const answer = { meaning: 'delivered', evidence: 'told' } as const
      const { outgoingReference } = attempt
      expect(await recordCallbacks(database.db, [{ supplier: 'stub', outgoingReference, answer }])).toEqual(['noted'])
      return { meaning: 'accepted', evidence: 'taken' }
    },
    askStatus: () => {
      asked += 1
      return Promise.resolve({ meaning: 'delivered', evidence: 'looked up' })
    },
  }
  bench.start([supplier])
  await untilStatus(database.db, order!.orderId, 'completed')
  expect(asked).toBe(1)
})
