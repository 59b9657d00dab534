import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../test/test-database.ts'
import { pesewas } from '../../money/pesewas.ts'
import type { Order } from '../../orders/order.ts'
import { newId } from '../../platform/database/new-id.ts'
import type { DataSupplier, OutgoingAttempt, SupplierAnswer } from '../../suppliers/ports.ts'
import { sizeOf, volumeOf } from './data.kind.ts'
import { createDataFulfilment, listDataSuppliers } from './dispatch-data.ts'
import { dataCostExpectation } from './offers/offers-of-bundles.ts'

const order: Order = {
  id: '0199f3a2-0000-7000-8000-000000000001',
  accountId: '0199f3a2-0000-7000-8000-000000000002',
  reference: 'order-1',
  kind: 'data',
  status: 'processing',
  price: pesewas(370),
  recipient: '0240000000',
  source: 'api',
  details: { network: 'MTN', size: '1GB' },
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

it('the offers of an order are found by the network and size that it keeps, whatever the volume', async () => {
  const database = await createTestDatabase()
  const volumes = [0.05, 0.5, 1, 1.5, 10, 100, 1024]
  const orders = volumes.map((volume) => ({ ...order, id: newId(), details: { network: 'MTN', size: sizeOf(volume) } }))
  await sql`insert into suppliers (name, adapter) values ('datamart', 'datamart'), ('datakazina', 'datakazina')`.execute(
    database.db,
  )
  for (const [index, volume] of volumes.entries()) {
    await sql`
      with made as (
        insert into packages (id, network, volume_gb, price_customer, price_agent, price_dealer)
        values (${newId()}, 'MTN', ${volume}, 9, 9, 9) returning id
      )
      insert into package_offers (package_id, supplier, code, cost, closed_at)
      select id, supplier, 'a code', ${index + 1}, case supplier when 'datakazina' then now() end
      from made, unnest(array['datamart', 'datakazina']) as supplier`.execute(database.db)
  }
  expect(volumes.map((volume) => volumeOf(sizeOf(volume)))).toEqual(volumes)
  expect(await listDataSuppliers(database.db, orders)).toEqual(new Map(orders.map(({ id }) => [id, new Set(['datamart'])])))
  const wanted = orders.map(({ id, price, details }) => ({ orderId: id, pricePesewas: pesewas(price), details }))
  const costs = await dataCostExpectation.expect(database.db, 'datamart', wanted)
  expect(orders.map(({ id }) => costs.get(id)?.costPesewas)).toEqual(volumes.map((_volume, index) => index + 1))
  await database.drop()
})
