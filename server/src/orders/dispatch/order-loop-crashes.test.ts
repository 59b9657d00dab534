import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { patienceSeconds } from '../../../test/patience.ts'
import type { SupplierAnswer } from '../../suppliers/ports.ts'
import type { PlacedOrder } from '../intake/place-test-orders.fixture.ts'
import { setUpOrders } from '../intake/set-up-orders.fixture.ts'
import { claimOpenOrders } from '../schedule/claim-open-orders.ts'
import { statusOf, until, untilStatus } from './order-bench.fixture.ts'
import type { Work } from './perform-work.ts'
import { planWork } from './plan-work.ts'
import { openStubAdapter } from './stub-supplier.fixture.ts'

const delivered = { meaning: 'delivered', evidence: 'ok' } as const
const notFound = { meaning: 'never_received', evidence: '404' } as const

const desk = setUpOrders(['stub', 'second'])

/** A supplier that delivers whatever it is sent. */
const startDeliverer = () =>
  desk.startStub((request, deliver) => {
    if (request.call === 'send') deliver()
    return delivered
  })

function attemptsOf({ orderId }: PlacedOrder) {
  return desk.db.selectFrom('attempts').selectAll().where('order_id', '=', orderId).orderBy('attempt_no').execute()
}

test('a worker that died before its attempt was committed leaves an order that is sent once', async () => {
  const stub = await startDeliverer()
  const order = await desk.place()
  const adapter = openStubAdapter(stub.url)
  expect(await claimOpenOrders(desk.db, 'stub/data/MTN', 10)).toHaveLength(1)
  expect(await attemptsOf(order)).toEqual([])
  await desk.endLeases()
  desk.bench.start([adapter])
  await untilStatus(desk.db, order.orderId, 'completed')
  expect([...stub.effects.values()]).toEqual([1])
})

test('a worker that died after committing the attempt and before sending leaves a question, never a second send on a guess', async () => {
  let status: SupplierAnswer = notFound
  const stub = await desk.startStub((request) => (request.call === 'send' ? delivered : status))
  const order = await desk.place()
  const adapter = openStubAdapter(stub.url, {
    askSchedule: { delaysSeconds: [0.1], maximumInFlightSeconds: 60, raiseAfterSeconds: 3_600 },
  })
  const { work } = await planWork(desk.bench.depsFor([adapter]), desk.db, 'stub/data/MTN', 10)
  expect(work).toHaveLength(1)
  await desk.endLeases()
  desk.bench.start([adapter])
  await until(() => stub.requests.length >= 3)
  expect(await statusOf(desk.db, order.orderId)).toBe('processing')
  status = delivered
  await untilStatus(desk.db, order.orderId, 'completed')
  expect(stub.requests.every(({ call }) => call === 'status')).toBe(true)
  expect(await attemptsOf(order)).toHaveLength(1)
})

test('a lease keeps a second worker away until it ends', async () => {
  const order = await desk.place()
  const adapter = openStubAdapter('http://127.0.0.1:9')
  const deps = desk.bench.depsFor([adapter])
  const first = await planWork(deps, desk.db, 'stub/data/MTN', 10)
  const second = await planWork(deps, desk.db, 'stub/data/MTN', 10)
  expect([first.claimedCount, second.claimedCount]).toEqual([1, 0])
  await desk.endLeases()
  const third = await planWork(deps, desk.db, 'stub/data/MTN', 10)
  expect(third.work.map(({ call, claimed }) => [call, claimed.order.id])).toEqual([['status', order.orderId]])
  await desk.settle(await desk.conclude(third.work[0] as Work, delivered))
})

test('a send whose window has passed is held back and the order goes out in a new attempt', async () => {
  const stub = await startDeliverer()
  const order = await desk.place()
  const adapter = openStubAdapter(stub.url)
  let isLate = true
  const late = {
    ...adapter,
    buyData: (...[request, attempt, signal]: Parameters<typeof adapter.buyData>) => {
      const mayStillSend = () => !isLate && attempt.mayStillSend()
      const answer = adapter.buyData(request, { ...attempt, mayStillSend }, signal)
      return answer.finally(() => {
        isLate = false
      })
    },
  }
  desk.bench.start([late])
  await untilStatus(desk.db, order.orderId, 'completed')
  expect((await attemptsOf(order)).map(({ outcome }) => outcome)).toEqual(['not_sent', 'delivered'])
  expect(stub.requests).toHaveLength(1)
})

test('two workers deliver each of many orders once', async () => {
  const stub = await startDeliverer()
  const orders = await desk.placeMany(300)
  desk.bench.start([openStubAdapter(stub.url)])
  desk.bench.start([openStubAdapter(stub.url)])
  await until(async () => {
    const { rows } = await sql<{ open: number }>`select count(*)::integer as open from open_orders
      where order_id = any(${orders.map(({ orderId }) => orderId)}::uuid[])`.execute(desk.db)
    return rows[0]?.open === 0
  })
  expect(stub.effects.size).toBe(300)
  expect([...stub.effects.values()].every((count) => count === 1)).toBe(true)
})

test('a worker that is stopped commits what is in flight and claims nothing more', async () => {
  const stub = await desk.startStub(() => delivered)
  const adapter = openStubAdapter(stub.url, { slots: 1 })
  const isReleased = Promise.withResolvers<void>()
  let calls = 0
  const slow = {
    ...adapter,
    freeSlots: () => 1 - calls,
    buyData: async (...call: Parameters<typeof adapter.buyData>) => {
      calls += 1
      await isReleased.promise
      return adapter.buyData(...call)
    },
  }
  const [first, second] = await desk.placeMany(2)
  const loop = desk.bench.start([slow])
  await until(() => calls === 1)
  const stopped = loop.stop({ callSeconds: patienceSeconds, commitSeconds: patienceSeconds })
  isReleased.resolve()
  await stopped
  expect(await statusOf(desk.db, first!.orderId)).toBe('completed')
  expect(await statusOf(desk.db, second!.orderId)).toBe('pending')
  desk.bench.start([adapter])
  await untilStatus(desk.db, second!.orderId, 'completed')
})

test('connections that break under load lose no order and deliver none twice', async () => {
  const stub = await startDeliverer()
  const orders = await desk.placeMany(200)
  desk.bench.start([openStubAdapter(stub.url)])
  let broken = 0
  for (let round = 0; round < 5; round += 1) {
    await until(() => stub.requests.length > round * 20)
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename <> current_user`.execute(desk.database.ownerDb)
    broken += rows.length
  }
  await until(async () => {
    await desk.endLeases().catch(() => undefined)
    const rows = await desk.database.ownerDb
      .selectFrom('open_orders')
      .select('order_id')
      .where('next_step_at', '<', new Date(Date.now() + 60_000))
      .execute()
    return rows.length === 0
  })
  const rows = await desk.db
    .selectFrom('orders')
    .select(['id', 'status'])
    .where(
      'id',
      'in',
      orders.map(({ orderId }) => orderId),
    )
    .execute()
  expect(broken).toBeGreaterThan(0)
  expect(rows.filter(({ status }) => status !== 'completed')).toEqual([])
  expect([...stub.effects.values()].every((count) => count === 1)).toBe(true)
})
