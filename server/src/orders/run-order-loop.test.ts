import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { allAuditChecks } from '../all-audit-checks.ts'
import { runAudit } from '../money/audit.ts'
import {
  addRoutes,
  type Bench,
  balanceOf,
  makeAccount,
  movesOf,
  openBench,
  type PlacedOrder,
  placeTestOrders,
  statusOf,
  until,
  untilStatus,
} from './order-bench.fixture.ts'
import { planWork } from './plan-work.ts'
import type { PlatformRejected } from './run-order-loop.ts'
import { openStubAdapter, type Stub, type StubReply, type StubRequest, startStub } from './stub-supplier.fixture.ts'

const priceInPesewas = 500
const fundsInPesewas = 1_000_000
const delivered = { meaning: 'delivered', evidence: 'ok' } as const
const accepted = { meaning: 'accepted', evidence: 'ok' } as const
const notFound = { meaning: 'never_received', evidence: '404' } as const

let database: TestDatabase
let bench: Bench
let accountId: string
let rejections: PlatformRejected[]
const stubs: Stub[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  await addRoutes(database.db, ['stub', 'second'])
})
beforeEach(async () => {
  await sql`update routes set state = 'open', paused_reason = null, paused_until = null, paused_at = null`.execute(database.db)
  accountId = await makeAccount(database.db, fundsInPesewas)
  rejections = []
  bench = await openBench(database.db, (rejection) => rejections.push(rejection))
})
afterEach(async () => {
  await bench.close()
  await Promise.all(stubs.splice(0).map((stub) => stub.close()))
  // What a test leaves open on purpose would be taken up by the next one's worker.
  await sql`update open_orders set next_step_at = 'infinity'`.execute(database.db)
})
afterAll(() => database.drop())

async function open(answer: (request: StubRequest, deliver: () => void) => StubReply): Promise<Stub> {
  const stub = await startStub(answer)
  stubs.push(stub)
  return stub
}

async function place(recipient = '0240000000', options: Parameters<typeof placeTestOrders>[3] = {}): Promise<PlacedOrder> {
  const [order] = await placeTestOrders(database.db, accountId, [recipient], { pricePesewas: priceInPesewas, ...options })
  return order as PlacedOrder
}

function attemptsOf({ orderId }: PlacedOrder) {
  return database.db.selectFrom('attempts').selectAll().where('order_id', '=', orderId).orderBy('attempt_no').execute()
}

function openOrderOf({ orderId }: PlacedOrder) {
  return database.db.selectFrom('open_orders').selectAll().where('order_id', '=', orderId).executeTakeFirst()
}

async function expectSoundBooks(): Promise<void> {
  const { checks } = await runAudit(database.db, allAuditChecks, { isFull: true })
  expect(Object.entries(checks).filter(([, bad]) => bad > 0)).toEqual([])
}

/** Lets the leases of a worker that died run out at once. */
async function endLeases(): Promise<void> {
  await sql`update open_orders set lease_until = '-infinity' where lease_until <> '-infinity'`.execute(database.db)
}

test('an order goes from pending through processing to completed, is delivered once, and leaves the schedule', async () => {
  const stub = await open((_request, deliver) => {
    deliver()
    return delivered
  })
  const order = await place()
  bench.start([openStubAdapter(stub.url)])
  await untilStatus(database.db, order.orderId, 'completed')
  expect(await movesOf(database.db, order.orderId)).toEqual(['pending>processing', 'processing>completed'])
  expect([...stub.effects.values()]).toEqual([1])
  expect(await openOrderOf(order)).toBeUndefined()
  await expectSoundBooks()
})

test.each(['rejected_recipient', 'rejected_request', 'failed'] as const)(
  '%s: failed, then refunded once, no second supplier',
  async (meaning) => {
    const stub = await open(() => ({ meaning, evidence: 'no' }))
    const second = await open(() => delivered)
    const order = await place()
    bench.start([openStubAdapter(stub.url), openStubAdapter(second.url, { name: 'second' })])
    await untilStatus(database.db, order.orderId, 'refunded')
    expect(await movesOf(database.db, order.orderId)).toEqual(['pending>processing', 'processing>failed', 'failed>refunded'])
    expect(await balanceOf(database.db, accountId)).toBe(fundsInPesewas)
    expect(second.requests).toEqual([])
    await expectSoundBooks()
  },
)

test('with data_auto_refund off a failed order stays failed, and its money with us', async () => {
  await sql`insert into settings (name, value, updated_by) values ('data_auto_refund', 'false', 'test')`.execute(database.db)
  await sql`update cache_epoch set epoch = epoch + 1`.execute(database.db)
  await bench.epoch.refresh()
  const stub = await open(() => ({ meaning: 'failed', evidence: 'no' }))
  const order = await place()
  bench.start([openStubAdapter(stub.url)])
  await untilStatus(database.db, order.orderId, 'failed')
  expect(await openOrderOf(order)).toBeUndefined()
  expect(await balanceOf(database.db, accountId)).toBe(fundsInPesewas - priceInPesewas)
  await sql`delete from settings`.execute(database.db)
  await sql`update cache_epoch set epoch = epoch + 1`.execute(database.db)
})

test('executed, then the answer is lost: asked about until the status says delivered, sent once', async () => {
  const stub = await open((request, deliver) => {
    if (request.call === 'status') return request.timesAsked === 1 ? 'hang' : delivered
    deliver()
    return 'hang'
  })
  const order = await place()
  bench.start([openStubAdapter(stub.url, { callSeconds: 0.2 })])
  await untilStatus(database.db, order.orderId, 'completed')
  expect(stub.requests.map(({ call }) => call)).toEqual(['send', 'status', 'status'])
  expect([...stub.effects.values()]).toEqual([1])
})

test('never received: believed at the second look-up after the time in flight, then refunded, never before', async () => {
  const stub = await open((request) => (request.call === 'send' ? 'drop' : notFound))
  const order = await place()
  const inFlight = { delaysSeconds: [0.2], maximumInFlightSeconds: -9, raiseAfterSeconds: 3_600 }
  bench.start([openStubAdapter(stub.url, { askSchedule: inFlight })])
  await untilStatus(database.db, order.orderId, 'refunded')
  const [attempt] = await attemptsOf(order)
  const answers = await database.db
    .selectFrom('attempt_answers')
    .selectAll()
    .where('attempt_id', '=', attempt!.id)
    .orderBy('answer_no')
    .execute()
  expect(answers.at(0)?.answer).toBe('unknown')
  expect(answers.filter(({ answer }) => answer === 'never_received')).toHaveLength(2)
  expect(answers.filter(({ answer }) => answer === 'never_received_early').length).toBeGreaterThan(0)
  expect(stub.requests.filter(({ call }) => call === 'send')).toHaveLength(1)
  await expectSoundBooks()
})

test('never received by the first supplier: the second one delivers, under a new reference', async () => {
  const first = await open((request) => (request.call === 'send' ? 'drop' : notFound))
  const second = await open((_request, deliver) => {
    deliver()
    return delivered
  })
  const order = await place()
  const schedule = { delaysSeconds: [0.1], maximumInFlightSeconds: -10, raiseAfterSeconds: 3_600 }
  bench.start([openStubAdapter(first.url, { askSchedule: schedule }), openStubAdapter(second.url, { name: 'second' })])
  await untilStatus(database.db, order.orderId, 'completed')
  const attempts = await attemptsOf(order)
  expect(attempts.map(({ supplier, outcome }) => [supplier, outcome])).toEqual([
    ['stub', 'never_received'],
    ['second', 'delivered'],
  ])
  expect(new Set(attempts.map((attempt) => attempt.outgoing_reference)).size).toBe(2)
  expect([first.effects.size, second.effects.size]).toEqual([0, 1])
  await expectSoundBooks()
})

test('a refusal of ourselves is reported, holds the order, and is followed by a new attempt with a new reference', async () => {
  const stub = await open((request, deliver) => {
    if (stub.requests.filter(({ call }) => call === 'send').length < 3)
      return { meaning: 'rejected_platform', cause: 'float', evidence: request.reference }
    deliver()
    return delivered
  })
  const order = await place()
  bench.start([openStubAdapter(stub.url)])
  await untilStatus(database.db, order.orderId, 'completed')
  const attempts = await attemptsOf(order)
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['rejected_platform', 'rejected_platform', 'delivered'])
  expect(new Set(attempts.map((attempt) => attempt.outgoing_reference)).size).toBe(3)
  expect(rejections.map(({ supplier, cause }) => [supplier, cause])).toEqual([
    ['stub', 'float'],
    ['stub', 'float'],
  ])
  expect(await movesOf(database.db, order.orderId)).toEqual(['pending>processing', 'processing>completed'])
})

test('an earlier submit that exists is an accept; the status then says how it ended', async () => {
  const stub = await open((request) => (request.call === 'send' ? { meaning: 'duplicate_exists', evidence: '422' } : delivered))
  const order = await place()
  bench.start([openStubAdapter(stub.url)])
  await untilStatus(database.db, order.orderId, 'completed')
  expect(stub.requests.map(({ call }) => call)).toEqual(['send', 'status'])
})

test('accepted, later failed: refunded', async () => {
  const stub = await open((request) => (request.call === 'send' ? accepted : { meaning: 'failed', evidence: 'failed' }))
  const order = await place()
  bench.start([openStubAdapter(stub.url)])
  await untilStatus(database.db, order.orderId, 'refunded')
  expect(await balanceOf(database.db, accountId)).toBe(fundsInPesewas)
  await expectSoundBooks()
})

test('unknown for ever stays processing, is asked again and raised to a person, and moves no money', async () => {
  const stub = await open((request) =>
    request.call === 'send' ? 'drop' : { meaning: 'rejected_recipient', evidence: 'a look-up cannot reject' },
  )
  const order = await place()
  bench.start([
    openStubAdapter(stub.url, { askSchedule: { delaysSeconds: [0.1], maximumInFlightSeconds: 0, raiseAfterSeconds: 0.5 } }),
  ])
  await until(async () => (await openOrderOf(order))?.hold_reason === 'no_definitive_answer')
  const asked = stub.requests.length
  await until(() => stub.requests.length > asked + 2)
  expect(await statusOf(database.db, order.orderId)).toBe('processing')
  expect(await balanceOf(database.db, accountId)).toBe(fundsInPesewas - priceInPesewas)
  expect(stub.requests.filter(({ call }) => call === 'send')).toHaveLength(1)
})

test('where only their reference can be looked up, the same reference is sent again as a question', async () => {
  const stub = await open((request, deliver) => {
    if (request.call === 'status') return delivered
    if (request.timesAsked > 1) return { meaning: 'duplicate_exists', supplierReference: 'T-1', evidence: '422' }
    deliver()
    return 'drop'
  })
  const order = await place()
  bench.start([openStubAdapter(stub.url, { resendClass: 'rejects-duplicate', statusNeedsSupplierReference: true })])
  await until(() => stub.requests.some(({ call }) => call === 'status'))
  expect(stub.requests.slice(0, 3).map(({ call }) => call)).toEqual(['send', 'send', 'status'])
  expect(new Set(stub.requests.map(({ reference }) => reference)).size).toBe(1)
  expect(await attemptsOf(order)).toHaveLength(1)
  expect([...stub.effects.values()]).toEqual([1])
})

test('a worker that died before its attempt was committed leaves an order that is sent once', async () => {
  const stub = await open((_request, deliver) => {
    deliver()
    return delivered
  })
  const order = await place()
  const adapter = openStubAdapter(stub.url)
  await database.db
    .transaction()
    .execute(async (tx) => {
      await planWork(bench.depsFor([adapter]), tx, 'stub/data/MTN', 10)
      throw new Error('killed')
    })
    .catch(() => undefined)
  expect(await attemptsOf(order)).toEqual([])
  bench.start([adapter])
  await untilStatus(database.db, order.orderId, 'completed')
  expect([...stub.effects.values()]).toEqual([1])
})

test('a worker that died after committing the attempt and before sending leaves a question, never a second send on a guess', async () => {
  const stub = await open((request) => (request.call === 'send' ? delivered : notFound))
  const order = await place()
  const adapter = openStubAdapter(stub.url, {
    askSchedule: { delaysSeconds: [0.1], maximumInFlightSeconds: 60, raiseAfterSeconds: 3_600 },
  })
  const { work } = await planWork(bench.depsFor([adapter]), database.db, 'stub/data/MTN', 10)
  expect(work).toHaveLength(1)
  await endLeases()
  bench.start([adapter])
  await until(() => stub.requests.length >= 3)
  expect(stub.requests.every(({ call }) => call === 'status')).toBe(true)
  expect(await attemptsOf(order)).toHaveLength(1)
  expect(await statusOf(database.db, order.orderId)).toBe('processing')
})

test('a lease keeps a second worker away until it ends', async () => {
  const order = await place()
  const adapter = openStubAdapter('http://127.0.0.1:9')
  const deps = bench.depsFor([adapter])
  const first = await planWork(deps, database.db, 'stub/data/MTN', 10)
  const second = await planWork(deps, database.db, 'stub/data/MTN', 10)
  expect([first.claimedCount, second.claimedCount]).toEqual([1, 0])
  await endLeases()
  const third = await planWork(deps, database.db, 'stub/data/MTN', 10)
  expect(third.work.map(({ call, claimed }) => [call, claimed.order.id])).toEqual([['status', order.orderId]])
})

test('a send whose window has passed is held back and the order goes out in a new attempt', async () => {
  const stub = await open((_request, deliver) => {
    deliver()
    return delivered
  })
  const order = await place()
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
  bench.start([late])
  await untilStatus(database.db, order.orderId, 'completed')
  expect((await attemptsOf(order)).map(({ outcome }) => outcome)).toEqual(['not_sent', 'delivered'])
  expect(stub.requests).toHaveLength(1)
})

test('a paused route holds its orders and they go out when it opens', async () => {
  await sql`update routes set state = 'paused', paused_reason = 'float', paused_at = now()`.execute(database.db)
  await bench.routes.refresh()
  const stub = await open(() => delivered)
  const order = await place()
  bench.start([openStubAdapter(stub.url)])
  await until(async () => (await openOrderOf(order))?.hold_reason === 'route_paused')
  expect(stub.requests).toEqual([])
  await sql`update routes set state = 'open', paused_reason = null, paused_at = null`.execute(database.db)
  await bench.routes.refresh()
  await untilStatus(database.db, order.orderId, 'completed')
})

test('questions go on while a route is paused', async () => {
  const stub = await open((request) => (request.call === 'send' || request.timesAsked < 3 ? accepted : delivered))
  const order = await place()
  bench.start([openStubAdapter(stub.url)])
  await until(() => stub.requests.length > 0)
  await sql`update routes set state = 'paused', paused_reason = 'float', paused_at = now()`.execute(database.db)
  await bench.routes.refresh()
  await untilStatus(database.db, order.orderId, 'completed')
  expect(stub.requests.map(({ call }) => call)).toEqual(['send', 'status', 'status', 'status'])
})

test('an order on a paused route goes out on another open one', async () => {
  await sql`update routes set state = 'paused', paused_reason = 'float', paused_at = now() where supplier = 'stub'`.execute(
    database.db,
  )
  await bench.routes.refresh()
  const [first, second] = [await open(() => delivered), await open(() => delivered)]
  const order = await place()
  bench.start([openStubAdapter(first.url), openStubAdapter(second.url, { name: 'second' })])
  await untilStatus(database.db, order.orderId, 'completed')
  expect([first.requests.length, second.requests.length]).toEqual([0, 1])
})

test('an order whose route was deleted is not lost', async () => {
  const order = await place('0240000000', { supplier: 'gone' })
  const stub = await open(() => delivered)
  bench.start([openStubAdapter(stub.url)])
  await untilStatus(database.db, order.orderId, 'completed')
  expect((await attemptsOf(order)).map(({ supplier }) => supplier)).toEqual(['stub'])
})

test('a supplier that hangs starves no other', async () => {
  const hanging = await open(() => 'hang')
  const healthy = await open(() => delivered)
  const hung = await placeTestOrders(
    database.db,
    accountId,
    Array.from({ length: 40 }, () => '0240000000'),
  )
  const orders = await placeTestOrders(
    database.db,
    accountId,
    Array.from({ length: 40 }, () => '0241111111'),
    { supplier: 'second' },
  )
  bench.start([
    openStubAdapter(hanging.url, { slots: 2, callSeconds: 30 }),
    openStubAdapter(healthy.url, { name: 'second', slots: 2 }),
  ])
  for (const { orderId } of orders) await untilStatus(database.db, orderId, 'completed')
  expect(hanging.requests.length).toBeLessThanOrEqual(2)
  const statuses = await database.db
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

test('two workers deliver each of many orders once', async () => {
  const stub = await open((request, deliver) => {
    if (request.call === 'send') deliver()
    return delivered
  })
  const orders = await placeTestOrders(
    database.db,
    accountId,
    Array.from({ length: 300 }, () => '0240000000'),
  )
  bench.start([openStubAdapter(stub.url)])
  bench.start([openStubAdapter(stub.url)])
  await until(async () => {
    const { rows } = await sql<{ open: number }>`select count(*)::integer as open from open_orders
      where order_id = any(${orders.map(({ orderId }) => orderId)}::uuid[])`.execute(database.db)
    return rows[0]?.open === 0
  }, 25)
  expect(stub.effects.size).toBe(300)
  expect([...stub.effects.values()].every((count) => count === 1)).toBe(true)
  await expectSoundBooks()
})

test('a worker that is stopped commits what is in flight and claims nothing more', async () => {
  const stub = await open(() => delivered)
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
  const [first, second] = await placeTestOrders(database.db, accountId, ['0240000000', '0240000001'])
  const loop = bench.start([slow])
  await until(() => calls === 1)
  const stopped = loop.stop({ callSeconds: 5, commitSeconds: 5 })
  isReleased.resolve()
  await stopped
  expect(await statusOf(database.db, first!.orderId)).toBe('completed')
  expect(await statusOf(database.db, second!.orderId)).toBe('pending')
})

test('connections that break under load lose no order and deliver none twice', async () => {
  const stub = await open((request, deliver) => {
    if (request.call === 'send') deliver()
    return delivered
  })
  const orders = await placeTestOrders(
    database.db,
    accountId,
    Array.from({ length: 200 }, () => '0240000000'),
  )
  bench.start([openStubAdapter(stub.url)])
  let broken = 0
  for (let round = 0; round < 5; round += 1) {
    await until(() => stub.requests.length > round * 20)
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename <> current_user`.execute(database.ownerDb)
    broken += rows.length
  }
  await until(async () => {
    await endLeases().catch(() => undefined)
    const rows = await database.ownerDb
      .selectFrom('open_orders')
      .select('order_id')
      .where('next_step_at', '<', new Date(Date.now() + 60_000))
      .execute()
    return rows.length === 0
  }, 25)
  const rows = await database.db
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
  await expectSoundBooks()
})
