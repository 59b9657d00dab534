import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { PlacedOrder } from '../intake/place-test-orders.fixture.ts'
import { setUpOrders, usualFundsPesewas, usualPricePesewas } from '../intake/set-up-orders.fixture.ts'
import { listSteps } from '../members/list-steps.ts'
import { readHistoryOf } from '../queries/read-order-history.ts'
import { balanceOf, movesOf, statusOf, until, untilStatus } from './order-bench.fixture.ts'
import { openStubAdapter } from './stub-supplier.fixture.ts'

const delivered = { meaning: 'delivered', evidence: 'ok' } as const
const accepted = { meaning: 'accepted', evidence: 'ok' } as const
const notFound = { meaning: 'never_received', evidence: '404' } as const

const desk = setUpOrders(['stub', 'second'])

function attemptsOf({ orderId }: PlacedOrder) {
  return desk.db.selectFrom('attempts').selectAll().where('order_id', '=', orderId).orderBy('attempt_no').execute()
}

function openOrderOf({ orderId }: PlacedOrder) {
  return desk.db.selectFrom('open_orders').selectAll().where('order_id', '=', orderId).executeTakeFirst()
}

test('an order goes from pending through processing to completed, is delivered once, and leaves the schedule', async () => {
  const stub = await desk.startStub((_request, deliver) => {
    deliver()
    return delivered
  })
  const order = await desk.place()
  desk.bench.start([openStubAdapter(stub.url)])
  await untilStatus(desk.db, order.orderId, 'completed')
  expect(await movesOf(desk.db, order.orderId)).toEqual(['pending>processing', 'processing>completed'])
  expect([...stub.effects.values()]).toEqual([1])
  expect(await openOrderOf(order)).toBeUndefined()
})

test.each(['rejected_recipient', 'rejected_request', 'failed'] as const)(
  '%s: failed, then refunded once, no second supplier',
  async (meaning) => {
    const stub = await desk.startStub(() => ({ meaning, evidence: 'no' }))
    const second = await desk.startStub(() => delivered)
    const order = await desk.place()
    desk.bench.start([openStubAdapter(stub.url), openStubAdapter(second.url, { name: 'second' })])
    await untilStatus(desk.db, order.orderId, 'refunded')
    expect(await movesOf(desk.db, order.orderId)).toEqual(['pending>processing', 'processing>failed', 'failed>refunded'])
    expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas)
    expect(second.requests).toEqual([])
  },
)

test('with data_auto_refund off a failed order stays failed, and its money with us', async () => {
  await sql`insert into settings (name, value, updated_by) values ('data_auto_refund', 'false', 'test')`.execute(desk.db)
  await sql`update cache_epoch set epoch = epoch + 1`.execute(desk.db)
  await desk.bench.epoch.refresh()
  const stub = await desk.startStub(() => ({ meaning: 'failed', evidence: 'no' }))
  const order = await desk.place()
  desk.bench.start([openStubAdapter(stub.url)])
  await untilStatus(desk.db, order.orderId, 'failed')
  expect(await openOrderOf(order)).toBeUndefined()
  expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas - usualPricePesewas)
  await sql`delete from settings`.execute(desk.db)
  await sql`update cache_epoch set epoch = epoch + 1`.execute(desk.db)
})

test('executed, then the answer is lost: asked about until the status says delivered, sent once', async () => {
  // The test gives a call up as soon as the supplier has received it and does not answer. A time-out short enough for a test
  // would also end other calls on a busy machine.
  let call = new AbortController()
  const stub = await desk.startStub((request, deliver) => {
    if (request.call === 'status' && request.timesAsked > 1) return delivered
    if (request.call === 'send') deliver()
    setImmediate(() => call.abort())
    return 'hang'
  })
  const order = await desk.place()
  const adapter = openStubAdapter(stub.url)
  const signal = (worker: AbortSignal) => {
    call = new AbortController()
    return AbortSignal.any([worker, call.signal])
  }
  desk.bench.start([
    {
      ...adapter,
      buyData: (request, attempt, worker) => adapter.buyData(request, attempt, signal(worker)),
      askStatus: (attempt, worker) => adapter.askStatus(attempt, signal(worker)),
    },
  ])
  await untilStatus(desk.db, order.orderId, 'completed')
  expect(stub.requests.map((request) => request.call)).toEqual(['send', 'status', 'status'])
  expect([...stub.effects.values()]).toEqual([1])
})

test('never received: believed at the second look-up after the time in flight, then refunded, never before', async () => {
  const stub = await desk.startStub((request) => (request.call === 'send' ? 'drop' : notFound))
  const order = await desk.place()
  const inFlight = { delaysSeconds: [0.2], maximumInFlightSeconds: 3_600, raiseAfterSeconds: 36_000 }
  desk.bench.start([openStubAdapter(stub.url, { askSchedule: inFlight })])
  const answersOf = async ({ orderId }: PlacedOrder) => {
    const answers = desk.db.selectFrom('attempt_answers').select('answer').where('order_id', '=', orderId)
    return (await answers.orderBy('answer_no').execute()).map(({ answer }) => answer)
  }
  await until(async () => (await attemptsOf(order)).length > 0)
  const [attempt] = await attemptsOf(order)
  await until(async () => (await answersOf(order)).includes('never_received_early') && stub.requests.length > 4)
  expect(await statusOf(desk.db, order.orderId)).toBe('processing')
  await sql`update attempts set send_before = send_before - interval '2 hours' where order_id = ${attempt!.order_id}`.execute(
    desk.database.ownerDb,
  )
  await untilStatus(desk.db, order.orderId, 'refunded')
  const answers = await answersOf(order)
  expect(answers.at(0)).toBe('unknown')
  expect(answers.filter((answer) => answer === 'never_received')).toHaveLength(2)
  expect(stub.requests.filter(({ call }) => call === 'send')).toHaveLength(1)
})

test('never received by the first supplier: the second one delivers, under a new reference', async () => {
  const first = await desk.startStub((request) => (request.call === 'send' ? 'drop' : notFound))
  const second = await desk.startStub((_request, deliver) => {
    deliver()
    return delivered
  })
  const order = await desk.place()
  const schedule = { delaysSeconds: [0.1], maximumInFlightSeconds: -10, raiseAfterSeconds: 3_600 }
  desk.bench.start([openStubAdapter(first.url, { askSchedule: schedule }), openStubAdapter(second.url, { name: 'second' })])
  await untilStatus(desk.db, order.orderId, 'completed')
  const attempts = await attemptsOf(order)
  expect(attempts.map(({ supplier, outcome }) => [supplier, outcome])).toEqual([
    ['stub', 'never_received'],
    ['second', 'delivered'],
  ])
  expect(new Set(attempts.map((attempt) => attempt.outgoing_reference)).size).toBe(2)
  expect([first.effects.size, second.effects.size]).toEqual([0, 1])
})

test('a refusal of ourselves is reported, holds the order, and is followed by a new attempt with a new reference', async () => {
  const stub = await desk.startStub((request, deliver) => {
    if (stub.requests.filter(({ call }) => call === 'send').length < 3)
      return { meaning: 'rejected_platform', cause: 'float', evidence: request.reference }
    deliver()
    return delivered
  })
  const order = await desk.place()
  desk.bench.start([openStubAdapter(stub.url)])
  await untilStatus(desk.db, order.orderId, 'completed')
  const attempts = await attemptsOf(order)
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['rejected_platform', 'rejected_platform', 'delivered'])
  expect(new Set(attempts.map((attempt) => attempt.outgoing_reference)).size).toBe(3)
  expect(desk.rejections.map(({ route, cause }) => [route, cause])).toEqual([
    ['stub/data/MTN', 'float'],
    ['stub/data/MTN', 'float'],
  ])
  expect(await movesOf(desk.db, order.orderId)).toEqual(['pending>processing', 'processing>completed'])
})

test('an earlier submit that exists is an accept; the status then says how it ended', async () => {
  const stub = await desk.startStub((request) =>
    request.call === 'send' ? { meaning: 'duplicate_exists', evidence: '422' } : delivered,
  )
  const order = await desk.place()
  desk.bench.start([openStubAdapter(stub.url)])
  await untilStatus(desk.db, order.orderId, 'completed')
  expect(stub.requests.map(({ call }) => call)).toEqual(['send', 'status'])
})

test('accepted, later failed: refunded', async () => {
  const stub = await desk.startStub((request) => (request.call === 'send' ? accepted : { meaning: 'failed', evidence: 'failed' }))
  const order = await desk.place()
  desk.bench.start([openStubAdapter(stub.url)])
  await untilStatus(desk.db, order.orderId, 'refunded')
  expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas)
})

test('unknown for ever stays processing, is asked again and raised to a person, and moves no money', async () => {
  desk.leaveOpen('the supplier never says how the order ended')
  const stub = await desk.startStub((request) =>
    request.call === 'send' ? 'drop' : { meaning: 'rejected_recipient', evidence: 'a look-up cannot reject' },
  )
  const order = await desk.place()
  desk.bench.start([
    openStubAdapter(stub.url, { askSchedule: { delaysSeconds: [0.1], maximumInFlightSeconds: 0, raiseAfterSeconds: 0.5 } }),
  ])
  await until(async () => (await openOrderOf(order))?.hold_reason === 'no_definitive_answer')
  const asked = stub.requests.length
  await until(() => stub.requests.length > asked + 2)
  expect(await statusOf(desk.db, order.orderId)).toBe('processing')
  expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas - usualPricePesewas)
  expect(stub.requests.filter(({ call }) => call === 'send')).toHaveLength(1)
})

test('where only their reference can be looked up, the same reference is sent again as a question', async () => {
  const stub = await desk.startStub((request, deliver) => {
    if (request.call === 'status') return delivered
    if (request.timesAsked > 1) return { meaning: 'duplicate_exists', supplierReference: 'T-1', evidence: '422' }
    deliver()
    return 'drop'
  })
  const order = await desk.place()
  desk.bench.start([openStubAdapter(stub.url, { resendClass: 'rejects-duplicate', statusNeedsSupplierReference: true })])
  await untilStatus(desk.db, order.orderId, 'completed')
  expect(stub.requests.map(({ call }) => call)).toEqual(['send', 'send', 'status'])
  expect(new Set(stub.requests.map(({ reference }) => reference)).size).toBe(1)
  // The reseller reads that the supplier was asked twice: once by sending again, once by the look-up.
  const history = await readHistoryOf(desk.db, order.orderId)
  expect(listSteps(history!, undefined)).toContainEqual(expect.objectContaining({ step: 'asked', count: 2 }))
  expect(await attemptsOf(order)).toHaveLength(1)
  expect([...stub.effects.values()]).toEqual([1])
})
