import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setUpWorkers } from '../test/set-up-workers.ts'
import { demoPackages } from './demo/demo-catalogue.ts'
import { statusOf } from './orders/dispatch/order-bench.fixture.ts'
import { type PlacedOrder, placeTestOrders } from './orders/intake/place-test-orders.fixture.ts'
import { pauseRoutesByHand } from './suppliers/routes/write-route.ts'

const town = setUpWorkers(demoPackages)

async function place(count: number, supplier: string): Promise<PlacedOrder[]> {
  const recipients = Array.from({ length: count }, (_, index) => `0240000${String(index).padStart(3, '0')}`)
  const details = { network: 'MTN', size: '1GB' }
  return placeTestOrders(town.db, town.accountId, recipients, { supplier, pricePesewas: 370, details })
}

/** Makes the orders look as in a dump that was made before a worker saw them. */
async function restoreOlderDump(orders: readonly PlacedOrder[], route: string): Promise<void> {
  const ids = sql`${orders.map(({ orderId }) => orderId)}::uuid[]`
  const history = ['attempt_answers', 'order_events']
  await town.database.ownerDb.transaction().execute(async (tx) => {
    for (const table of history) await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx)
    await sql`delete from attempt_answers where order_id = any(${ids})`.execute(tx)
    await sql`delete from attempts where order_id = any(${ids})`.execute(tx)
    await sql`delete from order_events where order_id = any(${ids})`.execute(tx)
    await sql`update orders set status = 'pending' where id = any(${ids})`.execute(tx)
    await sql`insert into open_orders (order_id, route) select id, ${route} from unnest(${ids}) as id`.execute(tx)
    for (const table of history) await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx)
  })
}

/** The deliveries of the simulator's suppliers. */
async function countEffects(): Promise<number> {
  const { effects } = (await (await fetch(`${town.simulator.url}/effects`)).json()) as { effects: unknown[] }
  return effects.length
}

async function countTaken(orders: readonly PlacedOrder[], supplier: string): Promise<number> {
  const ids = orders.map(({ orderId }) => orderId)
  const rows = await town.db
    .selectFrom('attempts')
    .select('order_id')
    .where('order_id', 'in', ids)
    .where('supplier', '=', supplier)
    .where('outcome', '=', 'delivered')
    .execute()
  return rows.length
}

/** Runs a worker until it has ended the orders. */
async function workOff(orders: readonly PlacedOrder[]): Promise<void> {
  const worker = await town.startWorker()
  await town.untilEnded(orders)
  await town.endWorker(worker, 'SIGTERM')
  for (const { orderId } of orders) expect(await statusOf(town.db, orderId)).toBe('completed')
}

test.each([
  ['datamart', 'which answers a repeat with the original'],
  ['datakazina', 'which refuses a repeat as a duplicate'],
])('orders that an older dump sends again to %s, %s, are delivered once', async (supplier) => {
  const orders = await place(10, supplier)
  await workOff(orders)
  expect(await countEffects()).toBe(10)
  await restoreOlderDump(orders, `${supplier}/data/MTN`)
  await workOff(orders)
  expect(await countTaken(orders, supplier)).toBe(10)
  expect(await countEffects()).toBe(10)
})

test('they are also delivered once by a second supplier that is now the first one asked', async () => {
  await town.simulator.control({ datamart: { scripts: { '*': 'float_refused' } } })
  const orders = await place(5, 'datamart')
  await workOff(orders)
  expect(await countTaken(orders, 'datakazina')).toBe(5)
  await restoreOlderDump(orders, 'datamart/data/MTN')
  await pauseRoutesByHand(town.db, { supplier: 'datamart' }, { reason: 'test', seconds: null }, 'test')
  await workOff(orders)
  expect(await countTaken(orders, 'datakazina')).toBe(5)
  expect(await countEffects()).toBe(5)
})
