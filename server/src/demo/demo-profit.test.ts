import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setUpWorkers } from '../../test/set-up-workers.ts'
import { type PlacedOrder, placeTestOrders } from '../orders/intake/place-test-orders.fixture.ts'
import { demoPackages } from './demo-catalogue.ts'

const town = setUpWorkers(demoPackages)

test('every bundle of the demo makes a profit at every supplier for every role, by what the simulator charges', async () => {
  const { rows: offers } = await sql<{
    network: string
    volume_gb: number
    price_dealer: number
    supplier: string
  }>`
    select network, volume_gb::float8 as volume_gb, price_dealer, supplier
    from packages join package_offers on package_id = id`.execute(town.db)
  expect(offers).toHaveLength(demoPackages.length * 2)
  const placed: PlacedOrder[] = []
  for (const { network, volume_gb: volumeGb, price_dealer: pricePesewas, supplier } of offers) {
    const details = { network, size: `${volumeGb}GB` }
    const [order] = await placeTestOrders(town.db, town.accountId, ['0240000000'], { supplier, network, pricePesewas, details })
    if (!order) throw new Error('the order was not placed')
    placed.push(order)
  }
  await town.startWorker()
  await town.untilEnded(placed)
  const { rows: sold } = await sql<{ status: string; lowest: number; expected_cost: number; reported_cost: number }>`
    select orders.status, least(price_customer, price_agent, price_dealer) as lowest, expected_cost, (
      select max(reported_cost) from attempt_answers where order_id = orders.id and attempt_no = attempts.attempt_no) as reported_cost
    from orders join attempts on attempts.order_id = orders.id
    join packages on packages.network = orders.details ->> 'network' and packages.volume_gb::float8 || 'GB' = orders.details ->> 'size'`.execute(
    town.db,
  )
  expect(sold).toHaveLength(offers.length)
  for (const { status, lowest, expected_cost: listed, reported_cost: charged } of sold) {
    expect([status, charged]).toEqual(['completed', listed])
    expect(charged).toBeLessThan(lowest)
  }
  const alarms = await town.db
    .selectFrom('alarms')
    .select('message')
    .where('name', 'in', ['sold_below_cost', 'cost_above_list'])
    .execute()
  expect(alarms).toEqual([])
})
