import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../test/test-database.ts'
import { pesewas } from '../../money/pesewas.ts'
import type { Order } from '../../orders/order.ts'
import type { DataSupplier, OutgoingAttempt, SupplierAnswer } from '../../suppliers/ports.ts'
import { createDataFulfilment } from './dispatch-data.ts'

const order: Order = {
  id: '0199f3a2-0000-7000-8000-000000000001',
  accountId: '0199f3a2-0000-7000-8000-000000000002',
  reference: 'order-1',
  kind: 'data',
  status: 'processing',
  price: pesewas(370),
  recipient: '0240000000',
  source: 'api',
  details: { network: 'MTN', volumeGb: 1, size: '1GB', packageId: '0199f3a2-0000-7000-8000-000000000003' },
  createdAt: new Date(),
  updatedAt: new Date(),
}
const attempt: OutgoingAttempt = { outgoingReference: 'attempt-1', supplierReference: null, mayStillSend: () => true }

it('an order whose offer cannot be read, because the database is away, was provably not sent', async () => {
  const database = await createTestDatabase()
  const fulfilment = createDataFulfilment(database.db, { current: () => undefined })
  await database.drop()
  const calls: unknown[] = []
  const buyData = (...words: unknown[]): Promise<SupplierAnswer> => {
    calls.push(words)
    return Promise.resolve({ meaning: 'accepted', evidence: 'taken' })
  }
  const supplier = { name: 'datamart', buyData } as unknown as DataSupplier
  expect(await fulfilment.send(supplier, order, attempt, new AbortController().signal)).toEqual({
    meaning: 'not_sent',
    evidence: expect.stringContaining('could not be read') as string,
  })
  expect(calls).toEqual([])
})
