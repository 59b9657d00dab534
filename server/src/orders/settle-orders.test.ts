import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { allAuditChecks } from '../all-audit-checks.ts'
import { runAudit } from '../money/audit.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { SupplierAnswer } from '../suppliers/ports.ts'
import { askOrderNow } from './ask-order-now.ts'
import { concludeWork } from './conclude-work.ts'
import { listOrders } from './list-orders.ts'
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
} from './order-bench.fixture.ts'
import { planWork } from './plan-work.ts'
import { raiseStuckAlarms, stuckAlarm } from './raise-stuck-alarms.ts'
import { readOrderHistory } from './read-order-history.ts'
import { refundByPerson } from './refund-by-person.ts'
import { settleByPeople } from './settle-by-people.ts'
import { type SettledBatch, type Settlement, settleOrders } from './settle-orders.ts'
import { openStubAdapter } from './stub-supplier.fixture.ts'
import type { Work } from './work.ts'

const price = 500
const funds = 1_000_000

let database: TestDatabase
let bench: Bench
let accountId: string

beforeAll(async () => {
  database = await createTestDatabase()
  await addRoutes(database.db, ['stub'])
})
beforeEach(async () => {
  accountId = await makeAccount(database.db, funds)
  bench = await openBench(database.db)
})
afterEach(async () => {
  await bench.close()
  const { ok, checks } = await runAudit(database.db, allAuditChecks, { isFull: true })
  if (!ok) throw new Error(`the audit found ${JSON.stringify(checks)}`)
  await sql`update open_orders set next_step_at = 'infinity'`.execute(database.db)
})
afterAll(() => database.drop())

const adapter = openStubAdapter('http://127.0.0.1:9')

async function place(): Promise<PlacedOrder> {
  const [order] = await placeTestOrders(database.db, accountId, ['0240000000'], { pricePesewas: price })
  return order as PlacedOrder
}

/** A claimed order whose attempt is committed: its worker may now call the supplier. */
async function begin(): Promise<Work> {
  const { work } = await planWork(bench.depsFor([adapter]), database.db, 'stub/data/MTN', 1)
  return work[0] as Work
}

function conclude(work: Work, meaning: 'failed' | 'delivered' | 'unknown' | 'accepted'): Promise<Settlement> {
  const answer: SupplierAnswer = { meaning, evidence: `it is ${meaning}` }
  return concludeWork(bench.depsFor([adapter]), work, answer)
}

function settle(settlement: Settlement): Promise<SettledBatch> {
  return inTransaction(database.db, (tx) => settleOrders(tx, [settlement]))
}

async function endLease(): Promise<void> {
  await sql`update open_orders set lease_until = '-infinity' where lease_until <> '-infinity'`.execute(database.db)
}

function contradictionsOf(orderId: string) {
  return database.db.selectFrom('contradictions').selectAll().where('order_id', '=', orderId).execute()
}

test('64 settlers racing on one order refund it once', async () => {
  const order = await place()
  const settlement = await conclude(await begin(), 'failed')
  const batches = await Promise.all(Array.from({ length: 64 }, () => settle(settlement)))
  expect(batches.filter(({ settled }) => settled.length === 1)).toHaveLength(1)
  expect(await movesOf(database.db, order.orderId)).toEqual(['pending>processing', 'processing>failed', 'failed>refunded'])
  expect(await balanceOf(database.db, accountId)).toBe(funds)
})

test('workers and two people racing on one order settle it once', async () => {
  const order = await place()
  const settlement = await conclude(await begin(), 'failed')
  await endLease()
  await settleByPeople(database.db, { orderId: order.orderId, outcome: 'failed', evidence: 'ticket 1', by: 'ama' })
  const settlers = Array.from({ length: 64 }, (_, index) =>
    index % 2 === 0
      ? settle(settlement)
      : settleByPeople(database.db, { orderId: order.orderId, outcome: 'failed', evidence: 'ticket 1', by: `person ${index}` }),
  )
  await Promise.all(settlers)
  expect(await statusOf(database.db, order.orderId)).toBe('refunded')
  expect(await balanceOf(database.db, accountId)).toBe(funds)
})

test('many orders of several accounts are refunded by racing batches without a deadlock', async () => {
  const accounts = [accountId, await makeAccount(database.db, funds), await makeAccount(database.db, funds)]
  for (const id of accounts)
    await placeTestOrders(
      database.db,
      id,
      Array.from({ length: 20 }, () => '0240000000'),
    )
  const { work } = await planWork(bench.depsFor([adapter]), database.db, 'stub/data/MTN', 60)
  const settlements = await Promise.all(work.map((item) => conclude(item, 'failed')))
  const shuffled = (seed: number) =>
    settlements.toSorted(
      (a, b) => ((a.leaseNo + a.order.id.charCodeAt(seed)) % 7) - ((b.leaseNo + b.order.id.charCodeAt(seed)) % 7),
    )
  await Promise.all([30, 31, 32, 33, 34, 35].map((seed) => inTransaction(database.db, (tx) => settleOrders(tx, shuffled(seed)))))
  for (const id of accounts) expect(await balanceOf(database.db, id)).toBe(funds)
})

test('an answer that comes after its lease is kept as evidence and changes nothing', async () => {
  const order = await place()
  const first = await begin()
  await endLease()
  const second = await begin()
  expect(second.call).toBe('status')
  const { late } = await settle(await conclude(first, 'failed'))
  expect(late).toHaveLength(1)
  expect(await statusOf(database.db, order.orderId)).toBe('processing')
  await settle(await conclude(second, 'delivered'))
  expect(await statusOf(database.db, order.orderId)).toBe('completed')
})

describe('a terminal order never changes', () => {
  test('delivered after a refund is stored as a contradiction and raises an alarm', async () => {
    const order = await place()
    const work = await begin()
    await settle(await conclude(work, 'failed'))
    await settle(await conclude(work, 'delivered'))
    expect(await statusOf(database.db, order.orderId)).toBe('refunded')
    expect(await contradictionsOf(order.orderId)).toHaveLength(1)
    const alarms = await database.db.selectFrom('alarms').selectAll().where('subject', '=', order.reference).execute()
    expect(alarms.map(({ name }) => name)).toEqual(['contradiction'])
  })

  test('failed after a delivery is stored as a contradiction and refunds nothing', async () => {
    const order = await place()
    const work = await begin()
    await settle(await conclude(work, 'delivered'))
    await settle(await conclude(work, 'failed'))
    expect(await statusOf(database.db, order.orderId)).toBe('completed')
    expect(await contradictionsOf(order.orderId)).toHaveLength(1)
    expect(await balanceOf(database.db, accountId)).toBe(funds - price)
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
    settleByPeople(database.db, { orderId: order.orderId, outcome, evidence: `${by} asked`, by })

  test('settle a stuck order as failed, and it is refunded', async () => {
    const order = await stuck()
    expect(await say(order, 'ama', 'failed')).toMatchObject({ state: 'proposed' })
    expect(await statusOf(database.db, order.orderId)).toBe('processing')
    expect(await say(order, 'kofi', 'failed')).toMatchObject({ state: 'settled', order: { status: 'refunded' } })
    expect(await balanceOf(database.db, accountId)).toBe(funds)
  })

  test('settle a stuck order as completed', async () => {
    const order = await stuck()
    await say(order, 'ama', 'completed')
    expect(await say(order, 'kofi', 'completed')).toMatchObject({ state: 'settled', order: { status: 'completed' } })
    expect((await readOrderHistory(database.db, order.reference))?.open).toBeUndefined()
  })

  test('are two: the same person twice is still one', async () => {
    const order = await stuck()
    await say(order, 'ama', 'failed')
    expect(await say(order, 'ama', 'failed')).toMatchObject({ state: 'proposed' })
    expect(await statusOf(database.db, order.orderId)).toBe('processing')
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
    expect(await movesOf(database.db, order.orderId)).toEqual(['pending>failed', 'failed>refunded'])
    expect(await balanceOf(database.db, accountId)).toBe(funds)
  })
})

test('a person refunds an order that stayed failed, once', async () => {
  const order = await place()
  await settle({ ...(await conclude(await begin(), 'failed')), refunds: false })
  const history = await readOrderHistory(database.db, order.reference)
  expect(history?.order.status).toBe('failed')
  const refunds = await Promise.all(Array.from({ length: 8 }, () => refundByPerson(database.db, history!.order, 'ama')))
  expect(refunds.filter(Boolean)).toHaveLength(1)
  expect(await balanceOf(database.db, accountId)).toBe(funds)
})

test('asking now makes the next step due, and refuses for an order that has ended', async () => {
  const order = await place()
  const settlement = await conclude(await begin(), 'unknown')
  await settle({
    ...settlement,
    decision: { ...settlement.decision, step: { do: 'ask_again', afterSeconds: 900, holdReason: null } },
  })
  expect((await planWork(bench.depsFor([adapter]), database.db, 'stub/data/MTN', 1)).claimedCount).toBe(0)
  expect(await askOrderNow(database.db, { id: order.orderId, reference: order.reference }, 'ama')).toBe(true)
  const work = await begin()
  expect(work.call).toBe('status')
  await settle(await conclude(work, 'delivered'))
  expect(await askOrderNow(database.db, { id: order.orderId, reference: order.reference }, 'ama')).toBe(false)
})

test('orders that need a person are listed and raise one alarm per route and reason, cleared when they are gone', async () => {
  const order = await place()
  const settlement = await conclude(await begin(), 'unknown')
  const raised = { do: 'ask_again', afterSeconds: 900, holdReason: 'no_definitive_answer' } as const
  await settle({ ...settlement, decision: { ...settlement.decision, step: raised } })
  expect((await listOrders(database.db, { isStuckOnly: true, limit: 10 })).map(({ reference }) => reference)).toEqual([
    order.reference,
  ])
  await raiseStuckAlarms(database.db, bench.log)
  await raiseStuckAlarms(database.db, bench.log)
  const open = () =>
    database.db.selectFrom('alarms').selectAll().where('name', '=', stuckAlarm).where('cleared_at', 'is', null).execute()
  expect((await open()).map(({ subject }) => subject)).toEqual(['stub/data/MTN no_definitive_answer'])
  await askOrderNow(database.db, { id: order.orderId, reference: order.reference }, 'ama')
  await settle(await conclude(await begin(), 'delivered'))
  await raiseStuckAlarms(database.db, bench.log)
  expect(await open()).toEqual([])
})
