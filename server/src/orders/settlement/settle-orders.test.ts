import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { personNamed } from '../../../test/make-account.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { products } from '../../products/products.ts'
import { beginAttempts } from '../dispatch/begin-attempts.ts'
import { balanceOf, makeAccount, movesOf, statusOf } from '../dispatch/order-bench.fixture.ts'
import type { Work } from '../dispatch/perform-work.ts'
import { type PlacedOrder, placeTestOrders } from '../intake/place-test-orders.fixture.ts'
import { setUpOrders, usualFundsPesewas, usualPricePesewas } from '../intake/set-up-orders.fixture.ts'
import { askOrderNow } from '../manual/ask-order-now.ts'
import { refundByPerson } from '../manual/refund-by-person.ts'
import { settleByPeople } from '../manual/settle-by-people.ts'
import { productOf } from '../product-facts.ts'
import { listOrders } from '../queries/list-orders.ts'
import { readOrderHistory } from '../queries/read-order-history.ts'
import { claimOpenOrders } from '../schedule/claim-open-orders.ts'
import { raiseStuckAlarms, stuckAlarm } from '../schedule/raise-stuck-alarms.ts'
import { type Settlement, settleAttempts } from './settle-attempts.ts'

const desk = setUpOrders()
const { place, begin, settle, endLeases } = desk
const delivered = { step: { do: 'complete' }, outcome: 'delivered', recordedAnswer: 'delivered' } as const

function conclude(work: Work, meaning: 'failed' | 'delivered' | 'unknown' | 'accepted'): Promise<Settlement> {
  return desk.conclude(work, { meaning, evidence: `it is ${meaning}` })
}

function contradictionsOf(orderId: string) {
  return desk.db.selectFrom('contradictions').selectAll().where('order_id', '=', orderId).execute()
}

test('64 settlers racing on one order refund it once', async () => {
  const order = await place()
  const settlement = await conclude(await begin(), 'failed')
  const batches = await Promise.all(Array.from({ length: 64 }, () => settle(settlement)))
  expect(batches.filter(({ settled }) => settled.length === 1)).toHaveLength(1)
  expect(await movesOf(desk.db, order.orderId)).toEqual(['pending>processing', 'processing>failed', 'failed>refunded'])
  expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas)
})

test('workers and two people racing on one order settle it once', async () => {
  const order = await place()
  const settlement = await conclude(await begin(), 'failed')
  await endLeases()
  await settleByPeople(desk.db, products, {
    orderId: order.orderId,
    outcome: 'failed',
    evidence: 'ticket 1',
    person: personNamed('ama'),
  })
  const settlers = Array.from({ length: 64 }, (_, index) =>
    index % 2 === 0
      ? settle(settlement)
      : settleByPeople(desk.db, products, {
          orderId: order.orderId,
          outcome: 'failed',
          evidence: 'ticket 1',
          person: personNamed(`person ${index}`),
        }),
  )
  await Promise.all(settlers)
  expect(await statusOf(desk.db, order.orderId)).toBe('refunded')
  expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas)
})

test('many orders of several accounts are refunded by racing batches without a deadlock', async () => {
  const accounts = [desk.accountId, await makeAccount(desk.db, usualFundsPesewas), await makeAccount(desk.db, usualFundsPesewas)]
  for (const id of accounts)
    await placeTestOrders(
      desk.db,
      id,
      Array.from({ length: 20 }, () => '0240000000'),
    )
  const { work } = await desk.plan(60)
  const settlements = await Promise.all(work.map((item) => conclude(item, 'failed')))
  const shuffled = (seed: number) =>
    settlements.toSorted(
      (a, b) => ((a.leaseNo + a.order.id.charCodeAt(seed)) % 7) - ((b.leaseNo + b.order.id.charCodeAt(seed)) % 7),
    )
  await Promise.all([30, 31, 32, 33, 34, 35].map((seed) => settle(...shuffled(seed))))
  for (const id of accounts) expect(await balanceOf(desk.db, id)).toBe(usualFundsPesewas)
})

test('an answer that comes after its lease is kept as evidence and changes nothing', async () => {
  const order = await place()
  const first = await begin()
  await endLeases()
  const second = await begin()
  expect(second.call).toBe('status')
  const { late } = await settle(await conclude(first, 'failed'))
  expect(late).toHaveLength(1)
  expect(await statusOf(desk.db, order.orderId)).toBe('processing')
  await settle(await conclude(second, 'delivered'))
  expect(await statusOf(desk.db, order.orderId)).toBe('completed')
})

describe('a terminal order never changes', () => {
  test('delivered after a refund is stored as a contradiction and raises an alarm', async () => {
    const order = await place()
    const work = await begin()
    await settle(await conclude(work, 'failed'))
    await settle(await conclude(work, 'delivered'))
    expect(await statusOf(desk.db, order.orderId)).toBe('refunded')
    expect(await contradictionsOf(order.orderId)).toHaveLength(1)
    const alarms = await desk.db.selectFrom('alarms').selectAll().where('subject', '=', order.reference).execute()
    expect(alarms.map(({ name }) => name)).toEqual(['contradiction'])
  })

  test('failed after a delivery is stored as a contradiction and refunds nothing', async () => {
    const order = await place()
    const work = await begin()
    await settle(await conclude(work, 'delivered'))
    await settle(await conclude(work, 'failed'))
    expect(await statusOf(desk.db, order.orderId)).toBe('completed')
    expect(await contradictionsOf(order.orderId)).toHaveLength(1)
    expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas - usualPricePesewas)
  })

  test('evidence that agrees leaves no contradiction', async () => {
    const order = await place()
    const work = await begin()
    await settle(await conclude(work, 'delivered'))
    await settle(await conclude(work, 'delivered'))
    expect(await contradictionsOf(order.orderId)).toEqual([])
  })
})

describe('two people', () => {
  async function stuck(): Promise<PlacedOrder> {
    const order = await place()
    await settle(await conclude(await begin(), 'unknown'))
    return order
  }
  const say = (order: PlacedOrder, by: string, outcome: 'completed' | 'failed') =>
    settleByPeople(desk.db, products, { orderId: order.orderId, outcome, evidence: `${by} asked`, person: personNamed(by) })

  test('settle a stuck order as failed, and it is refunded', async () => {
    const order = await stuck()
    expect(await say(order, 'ama', 'failed')).toMatchObject({ state: 'proposed' })
    expect(await statusOf(desk.db, order.orderId)).toBe('processing')
    expect(await say(order, 'kofi', 'failed')).toMatchObject({ state: 'settled', order: { status: 'refunded' } })
    expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas)
  })

  test('settle a stuck order as completed', async () => {
    const order = await stuck()
    await say(order, 'ama', 'completed')
    expect(await say(order, 'kofi', 'completed')).toMatchObject({ state: 'settled', order: { status: 'completed' } })
    expect((await readOrderHistory(desk.db, products, order.reference))?.open).toBeUndefined()
  })

  test('are two: the same person twice is still one', async () => {
    const order = await stuck()
    await say(order, 'ama', 'failed')
    expect(await say(order, 'ama', 'failed')).toMatchObject({ state: 'proposed' })
    expect(await statusOf(desk.db, order.orderId)).toBe('processing')
    expect(await say(order, 'kofi', 'failed')).toMatchObject({ state: 'settled' })
  })

  test('must agree; the first may change their mind', async () => {
    const order = await stuck()
    await say(order, 'ama', 'failed')
    expect(await say(order, 'kofi', 'completed')).toMatchObject({ state: 'refused' })
    await say(order, 'ama', 'completed')
    expect(await say(order, 'kofi', 'completed')).toMatchObject({ state: 'settled' })
  })

  test('cannot settle an order that has ended, nor one a worker is busy with, nor complete one that was never sent', async () => {
    const unsent = await place()
    expect(await say(unsent, 'ama', 'completed')).toMatchObject({ state: 'refused' })
    const work = await begin()
    expect(await say(unsent, 'ama', 'failed')).toMatchObject({ state: 'refused' })
    await settle(await conclude(work, 'delivered'))
    expect(await say(unsent, 'ama', 'failed')).toMatchObject({
      state: 'refused',
      why: expect.stringContaining('final') as string,
    })
  })

  test('can fail an order that was never sent, and it is refunded', async () => {
    const order = await place()
    await say(order, 'ama', 'failed')
    await say(order, 'kofi', 'failed')
    expect(await movesOf(desk.db, order.orderId)).toEqual(['pending>failed', 'failed>refunded'])
    expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas)
  })
})

test('a person refunds an order that stayed failed, once', async () => {
  const order = await place()
  await settle({ ...(await conclude(await begin(), 'failed')), refunds: false })
  const history = await readOrderHistory(desk.db, products, order.reference)
  expect(history?.order.status).toBe('failed')
  const refunds = await Promise.all(
    Array.from({ length: 8 }, () => refundByPerson(desk.db, productOf(products, 'data'), history!.order, 'ama')),
  )
  expect(refunds.filter(Boolean)).toHaveLength(1)
  expect(await balanceOf(desk.db, desk.accountId)).toBe(usualFundsPesewas)
  const lines = await desk.db
    .selectFrom('operator_log')
    .select(['actor', 'action'])
    .where('subject', '=', order.reference)
    .execute()
  expect(lines).toEqual([{ actor: 'ama', action: 'order refund' }])
})

test('asking now makes the next step due, and refuses for an order that has ended', async () => {
  const order = await place()
  const settlement = await conclude(await begin(), 'unknown')
  await settle({
    ...settlement,
    decision: { ...settlement.decision, step: { do: 'ask_again', afterSeconds: 900, holdReason: null } },
  })
  expect((await desk.plan(1)).claimedCount).toBe(0)
  expect(await askOrderNow(desk.db, { id: order.orderId, reference: order.reference }, 'ama')).toBe(true)
  const work = await begin()
  expect(work.call).toBe('status')
  await settle(await conclude(work, 'delivered'))
  expect(await askOrderNow(desk.db, { id: order.orderId, reference: order.reference }, 'ama')).toBe(false)
})

test('orders that need a person are listed and raise one alarm per route and reason, cleared when they are gone', async () => {
  const order = await place()
  const settlement = await conclude(await begin(), 'unknown')
  const raised = { do: 'ask_again', afterSeconds: 900, holdReason: 'no_definitive_answer' } as const
  await settle({ ...settlement, decision: { ...settlement.decision, step: raised } })
  expect(
    (await listOrders(desk.db, products, { isStuckOnly: true, limit: 10 })).orders.map(({ reference }) => reference),
  ).toEqual([order.reference])
  await raiseStuckAlarms(desk.db, desk.bench.log)
  await raiseStuckAlarms(desk.db, desk.bench.log)
  const open = () =>
    desk.db.selectFrom('alarms').selectAll().where('name', '=', stuckAlarm).where('cleared_at', 'is', null).execute()
  expect((await open()).map(({ subject }) => subject)).toEqual(['stub/data/MTN no_definitive_answer'])
  await askOrderNow(desk.db, { id: order.orderId, reference: order.reference }, 'ama')
  await settle(await conclude(await begin(), 'delivered'))
  await raiseStuckAlarms(desk.db, desk.bench.log)
  expect(await open()).toEqual([])
})

/** Counts the reads of whole tables by this session that PostgreSQL has not yet added to its common statistics. */
async function countScans(tx: Tx): Promise<number> {
  const { rows } = await sql<{ scans: number }>`
    select sum(seq_scan)::int as scans from pg_stat_xact_user_tables
    where relname in ('orders', 'open_orders', 'attempts', 'attempt_answers')`.execute(tx)
  return rows[0]?.scans ?? Number.NaN
}

test('a batch finds its rows by their keys, however small the tables are', async () => {
  await desk.placeMany(2)
  const settlement = await conclude(await begin(), 'accepted')
  const [other] = await claimOpenOrders(desk.db, 'stub/data/MTN', 1)
  if (!other) throw new Error('the second order could not be claimed')
  await sql`vacuum analyze orders, open_orders, attempts, attempt_answers`.execute(desk.database.ownerDb)
  await inTransaction(desk.db, async (tx) => {
    const before = await countScans(tx)
    const attempts = await beginAttempts(tx, 'stub', [other], new Map())
    await settleAttempts(tx, [settlement], true)
    const { outgoingReference } = settlement.attempt
    await sql`select note_callbacks('{stub}', ${[outgoingReference]}, '{accepted}', '{told}', '{NULL}', '{NULL}', '{NULL}', '{NULL}')`.execute(
      tx,
    )
    const ends = [
      { ...settlement, leaseNo: settlement.leaseNo + 1, decision: delivered },
      { ...settlement, order: other.order, attempt: attempts.get(other.order.id) ?? settlement.attempt, decision: delivered },
    ]
    expect((await settleAttempts(tx, ends, true)).settled).toHaveLength(2)
    expect((await countScans(tx)) - before).toBe(0)
  })
})
