import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openBench } from '../../orders/dispatch/order-bench.fixture.ts'
import { planWork } from '../../orders/dispatch/plan-work.ts'
import { openStubAdapter } from '../../orders/dispatch/stub-supplier.fixture.ts'
import { createDataFulfilment } from './dispatch-data.ts'
import { setUpData } from './set-up-data.fixture.ts'

const { shop, bundle, buy } = setUpData()

test('an order whose details nobody can read is held for a person, and the others of its route go on', async () => {
  const { key } = await shop.app.makeReseller()
  const place = async (): Promise<string> =>
    (await buy(key, bundle({ recipient: '0201234567', network: 'Telecel' }))).body.data.order_id
  const [damaged, sound] = [await place(), await place()]
  await sql`update orders set details = '{}' where id = ${damaged}`.execute(shop.app.database.ownerDb)
  const bench = await openBench(shop.db)
  try {
    const fulfilments = new Map([['data', createDataFulfilment(shop.db, bench.epoch)]])
    const deps = { ...bench.depsFor([openStubAdapter('http://127.0.0.1:9', { name: 'datamart' })]), fulfilments }
    const { work, holds } = await planWork(deps, shop.db, 'datamart/data/Telecel', 100)
    expect(work.map(({ claimed }) => claimed.order.id)).toEqual([sound])
    expect(holds.map(({ claimed, step }) => [claimed.order.id, step.holdReason])).toEqual([[damaged, 'not_offered']])
  } finally {
    await bench.close()
    await sql`update orders set details = (select details from orders where id = ${sound}) where id = ${damaged}`.execute(
      shop.app.database.ownerDb,
    )
  }
})
