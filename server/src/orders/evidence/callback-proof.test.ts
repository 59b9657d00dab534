import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { DataSupplier, SupplierAnswer } from '../../suppliers/ports.ts'
import { concludeWork } from '../dispatch/conclude-work.ts'
import { balanceOf, movesOf, statusOf, until, untilStatus } from '../dispatch/order-bench.fixture.ts'
import { performWork, type Work } from '../dispatch/perform-work.ts'
import { planWork } from '../dispatch/plan-work.ts'
import { openStubAdapter, type Stub, type StubReply, type StubRequest } from '../dispatch/stub-supplier.fixture.ts'
import type { PlacedOrder } from '../intake/place-test-orders.fixture.ts'
import { setUpOrders, usualFundsPesewas, usualPricePesewas } from '../intake/set-up-orders.fixture.ts'
import { findAccountName } from '../queries/find-order.ts'
import { recordCallbacks } from './record-callbacks.ts'

const desk = setUpOrders()
const { place } = desk

/** A supplier that is asked once an hour, so that whatever settles sooner was a callback. */
const hourly = { delaysSeconds: [3_600], maximumInFlightSeconds: 0, raiseAfterSeconds: 36_000 }

async function openSupplier(
  answer: (request: StubRequest) => StubReply,
  changes: Partial<DataSupplier> = {},
): Promise<DataSupplier & { stub: Stub }> {
  const stub = await desk.startStub(answer)
  return {
    ...openStubAdapter(stub.url, { resendClass: 'undocumented', askSchedule: hourly }),
    callbackIsProof: true,
    ...changes,
    stub,
  }
}

const accepted: SupplierAnswer = { meaning: 'accepted', evidence: '0001' }
const told = (meaning: 'delivered' | 'failed' | 'unknown' | 'accepted'): SupplierAnswer => ({
  meaning,
  evidence: `told ${meaning}`,
})

async function referenceOf(order: PlacedOrder): Promise<string> {
  const attempts = desk.db.selectFrom('attempts').select('outgoing_reference').where('order_id', '=', order.orderId)
  return (await attempts.executeTakeFirstOrThrow()).outgoing_reference
}

const note = async (order: PlacedOrder, meaning: Parameters<typeof told>[0]) =>
  recordCallbacks(desk.db, [{ supplier: 'stub', outgoingReference: await referenceOf(order), answer: told(meaning) }])

async function isWaiting(order: PlacedOrder): Promise<boolean> {
  const rows = await sql<{ waits: boolean }>`
    select attempts.outcome is not null and next_step_at > clock_timestamp() + interval '10 minutes' as waits
    from open_orders join attempts using (order_id, attempt_no)
    where open_orders.order_id = ${order.orderId}`.execute(desk.db)
  return rows.rows[0]?.waits === true
}

const contradictionsOf = (order: PlacedOrder) =>
  desk.db.selectFrom('contradictions').select(['status', 'evidence']).where('order_id', '=', order.orderId).execute()
const alarmsOf = (order: PlacedOrder) =>
  desk.db.selectFrom('alarms').select('name').where('subject', '=', order.reference).execute()

async function answersOf(order: PlacedOrder): Promise<string[]> {
  const { rows } = await sql<{ said: string }>`
    select source || ':' || answer as said from attempt_answers join attempts using (order_id, attempt_no)
    where order_id = ${order.orderId} order by answer_no`.execute(desk.db)
  return rows.map(({ said }) => said)
}

test('whom the answers name as the account’s holder is kept with each; the newest name counts', async () => {
  const supplier = await openSupplier(() => ({ ...accepted, accountName: 'SENT\0' }))
  const order = await place()
  expect(await findAccountName(desk.db, order.orderId)).toBeUndefined()
  desk.bench.start([supplier])
  await until(() => isWaiting(order))
  expect(await findAccountName(desk.db, order.orderId)).toBe('SENT')
  const outgoingReference = await referenceOf(order)
  const answer = { ...told('delivered'), accountName: 'CALLED BACK' }
  await recordCallbacks(desk.db, [{ supplier: 'stub', outgoingReference, answer }])
  await untilStatus(desk.db, order.orderId, 'completed')
  await note(order, 'accepted')
  expect(await findAccountName(desk.db, order.orderId)).toBe('CALLED BACK')
})

describe('a callback that is proof', () => {
  test.each([
    ['delivered', 'completed', usualFundsPesewas - usualPricePesewas],
    ['failed', 'refunded', usualFundsPesewas],
  ] as const)('that says %s settles the order as %s, without a question, and is kept once', async (meaning, status, balance) => {
    const supplier = await openSupplier(() => accepted)
    const order = await place()
    desk.bench.start([supplier])
    await until(() => isWaiting(order))
    await Promise.all([note(order, meaning), note(order, meaning), note(order, meaning)])
    await untilStatus(desk.db, order.orderId, status)
    expect(await answersOf(order)).toEqual(['send:accepted', `callback:${meaning}`])
    expect(supplier.stub.requests.map(({ call }) => call)).toEqual(['send'])
    expect(await balanceOf(desk.db, desk.accountId)).toBe(balance)
    expect(await contradictionsOf(order)).toEqual([])
  })

  test('that overtakes the answer to its own send is not forgotten while the order is leased', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const supplier = await openSupplier(() => accepted)
    const slow: DataSupplier = {
      ...supplier,
      buyData: async (...request) => {
        const answer = await supplier.buyData(...request)
        await gate
        return answer
      },
    }
    const order = await place()
    desk.bench.start([slow])
    await until(() => supplier.stub.requests.length === 1)
    await note(order, 'delivered')
    release()
    await untilStatus(desk.db, order.orderId, 'completed')
    expect(await answersOf(order)).toEqual(['callback:delivered', 'send:accepted'])
  })

  test('settles once, however many settlers race', async () => {
    const supplier = await openSupplier(() => accepted)
    const order = await place()
    const deps = desk.bench.depsFor([supplier])
    const claim = async () => (await planWork(deps, desk.db, 'stub/data/MTN', 1)).work[0] as Work
    const conclude = async (work: Work) => concludeWork(deps, work, await performWork(work, new AbortController().signal))
    await desk.settle(await conclude(await claim()))
    await note(order, 'failed')
    const work = await claim()
    expect(work.call).toBe('callback')
    expect(work.attempt.callbackAnswers).toEqual([{ ...told('failed'), supplierReference: null }])
    const settlement = await conclude(work)
    const batches = await Promise.all(Array.from({ length: 64 }, () => desk.settle(settlement)))
    expect(batches.filter(({ settled }) => settled.length === 1)).toHaveLength(1)
    expect(await movesOf(desk.db, order.orderId)).toEqual(['pending>processing', 'processing>failed', 'failed>refunded'])
    expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas)
    expect(await contradictionsOf(order)).toEqual([])
  })

  test('decides nothing where callbacks deny each other: the status does, and the denied one is recorded and alarms', async () => {
    let status: StubReply = { meaning: 'unknown', evidence: '403' }
    const supplier = await openSupplier((request) => (request.call === 'send' ? accepted : status))
    const order = await place()
    desk.bench.start([supplier])
    await until(() => isWaiting(order))
    await sql`update open_orders set next_step_at = 'infinity' where order_id = ${order.orderId}`.execute(desk.db)
    // Both callbacks come before the worker looks again.
    await sql`
      insert into attempt_answers (order_id, attempt_no, source, answer, evidence)
      select order_id, attempt_no, 'callback', 'delivered', 'told delivered' from attempts where order_id = ${order.orderId}`.execute(
      desk.db,
    )
    await note(order, 'failed')
    await until(async () => (await answersOf(order)).includes('status:unknown'))
    expect(await statusOf(desk.db, order.orderId)).toBe('processing')
    status = { meaning: 'delivered', evidence: 'Paid' }
    await sql`update open_orders set next_step_at = now() where order_id = ${order.orderId}`.execute(desk.db)
    await untilStatus(desk.db, order.orderId, 'completed')
    expect(await contradictionsOf(order)).toMatchObject([
      { status: 'completed', evidence: expect.stringContaining('told failed') },
    ])
    expect(await alarmsOf(order)).toEqual([{ name: 'contradiction' }])
  })

  test('that denies how its order has ended is recorded, alarms, and changes nothing', async () => {
    const supplier = await openSupplier(() => accepted)
    const order = await place()
    desk.bench.start([supplier])
    await until(() => isWaiting(order))
    await note(order, 'failed')
    await untilStatus(desk.db, order.orderId, 'refunded')
    await note(order, 'delivered')
    await note(order, 'delivered')
    expect(await statusOf(desk.db, order.orderId)).toBe('refunded')
    expect(await contradictionsOf(order)).toHaveLength(1)
    expect(await alarmsOf(order)).toEqual([{ name: 'contradiction' }])
  })

  test('settles while its route is paused: it is no question and no send', async () => {
    const supplier = await openSupplier(() => accepted)
    const order = await place()
    desk.bench.start([supplier])
    await until(() => isWaiting(order))
    await sql`update routes set state = 'paused', paused_reason = 'operator: test'`.execute(desk.db)
    await note(order, 'delivered')
    await untilStatus(desk.db, order.orderId, 'completed')
    expect(await statusOf(desk.db, order.orderId)).toBe('completed')
  })
})

describe('a callback that is a hint', () => {
  test.each(['unknown', 'accepted'] as const)(
    'such as %s makes the status be asked and settles nothing itself',
    async (meaning) => {
      desk.leaveOpen('its supplier has accepted the order, and says no more')
      const supplier = await openSupplier((request) =>
        request.call === 'send' ? { meaning: 'unknown', evidence: '500' } : accepted,
      )
      const order = await place()
      desk.bench.start([supplier])
      await until(() => isWaiting(order))
      await note(order, meaning)
      await until(() => supplier.stub.requests.some(({ call }) => call === 'status'))
      expect(await statusOf(desk.db, order.orderId)).toBe('processing')
    },
  )

  test('is all that a supplier’s callback is which is not said to be proof', async () => {
    const status: SupplierAnswer = { meaning: 'failed', evidence: 'failed' }
    const supplier = await openSupplier((request) => (request.call === 'send' ? accepted : status), { callbackIsProof: false })
    const order = await place()
    desk.bench.start([supplier])
    await until(() => isWaiting(order))
    await note(order, 'delivered')
    await untilStatus(desk.db, order.orderId, 'refunded')
    expect(supplier.stub.requests.map(({ call }) => call)).toEqual(['send', 'status'])
    expect(await contradictionsOf(order)).toMatchObject([{ evidence: expect.stringContaining('told delivered') }])
  })
})

describe('a status that says unfulfilled', () => {
  const unfulfilled: SupplierAnswer = { meaning: 'unfulfilled', evidence: 'Unpaid' }
  /** The send deadline ends 10 s after the beginning. A time in flight of -10 s makes a look-up count at once. */
  const patient = (unfulfilledProofSeconds: number) => ({
    askSchedule: { delaysSeconds: [0.1], maximumInFlightSeconds: -10, raiseAfterSeconds: 3_600, unfulfilledProofSeconds },
  })

  test('twice, far enough apart, refunds once', async () => {
    const supplier = await openSupplier((request) => (request.call === 'send' ? accepted : unfulfilled), patient(1))
    const order = await place()
    desk.bench.start([supplier])
    await untilStatus(desk.db, order.orderId, 'refunded')
    const { rows } = await sql<{ apart: number }>`
      select extract(epoch from max(attempt_answers.created_at) - min(attempt_answers.created_at))::float8 as apart
      from attempt_answers join attempts using (order_id, attempt_no)
      where order_id = ${order.orderId} and answer = 'unfulfilled'`.execute(desk.db)
    expect(rows[0]?.apart).toBeGreaterThanOrEqual(1)
    expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas)
  })

  test('again and again within that time refunds nothing', async () => {
    desk.leaveOpen('it may not be refunded for an hour')
    const supplier = await openSupplier((request) => (request.call === 'send' ? accepted : unfulfilled), patient(3_600))
    const order = await place()
    desk.bench.start([supplier])
    await until(async () => (await answersOf(order)).filter((said) => said === 'status:unfulfilled').length >= 5)
    expect(await statusOf(desk.db, order.orderId)).toBe('processing')
  })

  test('begins anew after a word to the contrary', async () => {
    desk.leaveOpen('the supplier contradicts itself for ever')
    const supplier = await openSupplier(
      (request) => (request.call === 'send' || request.timesAsked % 2 === 0 ? accepted : unfulfilled),
      patient(0.3),
    )
    const order = await place()
    desk.bench.start([supplier])
    await until(async () => (await answersOf(order)).filter((said) => said === 'status:unfulfilled').length >= 6)
    expect(await statusOf(desk.db, order.orderId)).toBe('processing')
  })
})

test('an answer that sounds like an empty float tells the route’s health, and the order is asked about, never sent again', async () => {
  desk.leaveOpen('the supplier never says how the order ended')
  const suspicious: SupplierAnswer = { meaning: 'unknown', suspects: 'float', evidence: '4075' }
  const supplier = await openSupplier(
    (request) => (request.call === 'send' ? suspicious : { meaning: 'unknown', evidence: '404' }),
    {
      askSchedule: { ...hourly, delaysSeconds: [0.1] },
    },
  )
  const order = await place()
  desk.bench.start([supplier])
  await until(() => supplier.stub.requests.filter(({ call }) => call === 'status').length >= 3)
  expect(desk.rejections).toEqual([{ route: 'stub/data/MTN', orderId: order.orderId, cause: 'float' }])
  expect(supplier.stub.requests.filter(({ call }) => call === 'send')).toHaveLength(1)
  expect(await statusOf(desk.db, order.orderId)).toBe('processing')
  expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas - usualPricePesewas)
})
