import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { PlacedOrder } from '../intake/place-test-orders.fixture.ts'
import { setUpOrders } from '../intake/set-up-orders.fixture.ts'
import { until, untilStatus } from './order-bench.fixture.ts'
import { openStubAdapter } from './stub-supplier.fixture.ts'

const delivered = { meaning: 'delivered', evidence: 'ok' } as const
const accepted = { meaning: 'accepted', evidence: 'ok' } as const

const desk = setUpOrders(['stub', 'second'])

function attemptsOf({ orderId }: PlacedOrder) {
  return desk.db.selectFrom('attempts').selectAll().where('order_id', '=', orderId).orderBy('attempt_no').execute()
}

function openOrderOf({ orderId }: PlacedOrder) {
  return desk.db.selectFrom('open_orders').selectAll().where('order_id', '=', orderId).executeTakeFirst()
}

test('a paused route holds its orders and they go out when it opens', async () => {
  await sql`update routes set state = 'paused', paused_reason = 'float', paused_at = now()`.execute(desk.db)
  await desk.bench.routes.refresh()
  const stub = await desk.startStub(() => delivered)
  const order = await desk.place()
  desk.bench.start([openStubAdapter(stub.url)])
  await until(async () => (await openOrderOf(order))?.hold_reason === 'route_paused')
  expect(stub.requests).toEqual([])
  await sql`update routes set state = 'open', paused_reason = null, paused_at = null`.execute(desk.db)
  await desk.bench.routes.refresh()
  await untilStatus(desk.db, order.orderId, 'completed')
})

test('new orders of a paused route are held without being claimed, when no other route is open', async () => {
  await sql`update routes set state = 'paused', paused_reason = 'auth', paused_at = now()`.execute(desk.db)
  await desk.bench.routes.refresh()
  const stub = await desk.startStub(() => delivered)
  const orders = await desk.placeMany(20)
  desk.bench.start([openStubAdapter(stub.url)])
  for (const order of orders) {
    await until(async () => (await openOrderOf(order))?.hold_reason === 'route_paused')
    // Each claim raises the number of the lease.
    expect(await openOrderOf(order)).toMatchObject({ lease_no: 0, our_mistake_since: expect.any(Date) })
  }
  await sql`update routes set state = 'open', paused_reason = null, paused_at = null`.execute(desk.db)
  await desk.bench.routes.refresh()
  for (const { orderId } of orders) await untilStatus(desk.db, orderId, 'completed')
})

test('questions go on while a route is paused', async () => {
  const stub = await desk.startStub((request) => (request.call === 'send' || request.timesAsked < 3 ? accepted : delivered))
  const order = await desk.place()
  desk.bench.start([openStubAdapter(stub.url)])
  await until(() => stub.requests.length > 0)
  await sql`update routes set state = 'paused', paused_reason = 'float', paused_at = now()`.execute(desk.db)
  await desk.bench.routes.refresh()
  await untilStatus(desk.db, order.orderId, 'completed')
  expect(stub.requests.map(({ call }) => call)).toEqual(['send', 'status', 'status', 'status'])
})

test('an order on a paused route goes out on another open one', async () => {
  await sql`update routes set state = 'paused', paused_reason = 'float', paused_at = now() where supplier = 'stub'`.execute(
    desk.db,
  )
  await desk.bench.routes.refresh()
  const [first, second] = [await desk.startStub(() => delivered), await desk.startStub(() => delivered)]
  const order = await desk.place()
  desk.bench.start([openStubAdapter(first.url), openStubAdapter(second.url, { name: 'second' })])
  await untilStatus(desk.db, order.orderId, 'completed')
  expect([first.requests.length, second.requests.length]).toEqual([0, 1])
})

test('an order whose route was deleted is not lost', async () => {
  const order = await desk.place({ supplier: 'gone' })
  const stub = await desk.startStub(() => delivered)
  desk.bench.start([openStubAdapter(stub.url)])
  await untilStatus(desk.db, order.orderId, 'completed')
  expect((await attemptsOf(order)).map(({ supplier }) => supplier)).toEqual(['stub'])
})

test('a supplier that hangs starves no other', async () => {
  desk.leaveOpen('one supplier never answers')
  const hanging = await desk.startStub(() => 'hang')
  const healthy = await desk.startStub(() => delivered)
  const hung = await desk.placeMany(40)
  const orders = await desk.placeMany(40, { supplier: 'second' })
  desk.bench.start([
    openStubAdapter(hanging.url, { slots: 2, callSeconds: 30 }),
    openStubAdapter(healthy.url, { name: 'second', slots: 2 }),
  ])
  for (const { orderId } of orders) await untilStatus(desk.db, orderId, 'completed')
  expect(hanging.requests.length).toBeLessThanOrEqual(2)
  const statuses = await desk.db
    .selectFrom('orders')
    .select('status')
    .where(
      'id',
      'in',
      hung.map(({ orderId }) => orderId),
    )
    .execute()
  expect(statuses.filter(({ status }) => status === 'pending').length).toBeGreaterThanOrEqual(38)
})
