import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { explainStatements } from '../../../test/running/explain-statements.ts'
import { setUpOrders } from '../intake/set-up-orders.fixture.ts'
import { claimOpenOrders } from './claim-open-orders.ts'

const route = 'stub/data/MTN'
const desk = setUpOrders()

beforeEach(() => desk.leaveOpen('orders are claimed here, and not sent'))

/** Places orders that were sent and are due to be asked about. */
async function placeAsked(count: number): Promise<Set<string>> {
  const orders = await desk.placeMany(count)
  await desk.plan(count)
  const ids = orders.map(({ orderId }) => orderId)
  await sql`
    update open_orders set lease_until = '-infinity', next_step_at = clock_timestamp(), is_question = true
    where order_id = any(${ids}::uuid[])`.execute(desk.db)
  return new Set(ids)
}

/** Claims, and counts how many claimed orders are to be asked about and how many are to be sent. */
async function claim(limit: number, asked: ReadonlySet<string>): Promise<{ questions: number; sends: number }> {
  const claimed = await claimOpenOrders(desk.db, route, limit)
  // The leases end, so that the next claim of the test may take the same orders.
  await desk.endLeases()
  const questions = claimed.filter(({ order, attempt }) => attempt !== null && asked.has(order.id)).length
  return { questions, sends: claimed.filter(({ attempt }) => attempt === null).length }
}

test('questions about orders already sent are not kept waiting by an older, longer queue of orders to be sent', async () => {
  const asked = await placeAsked(4)
  await desk.placeMany(40)
  await sql`
    update open_orders set next_step_at = clock_timestamp() - interval '1 hour' where attempt_no is null and next_step_at < 'infinity'`.execute(
    desk.db,
  )
  expect(await claim(8, asked)).toEqual({ questions: 4, sends: 4 })
})

test('however many questions are due, a quarter of a claim is sent', async () => {
  const asked = await placeAsked(20)
  await desk.placeMany(20)
  expect(await claim(8, asked)).toEqual({ questions: 6, sends: 2 })
})

test('what one kind leaves free the other one takes', async () => {
  const asked = await placeAsked(10)
  expect(await claim(8, asked)).toEqual({ questions: 8, sends: 0 })
  await desk.placeMany(1)
  expect(await claim(8, asked)).toEqual({ questions: 7, sends: 1 })
})

test('where a claim takes a single order, both kinds get their turns', async () => {
  const asked = await placeAsked(2)
  await desk.placeMany(2)
  const seen = new Set<string>()
  for (let turn = 0; turn < 100 && seen.size < 2; turn += 1) {
    const { questions } = await claim(1, asked)
    seen.add(questions === 1 ? 'question' : 'send')
  }
  expect([...seen].toSorted()).toEqual(['question', 'send'])
})

test('a claim reads few rows, however long the schedule is', async () => {
  const { ownerDb, applicationUrl } = desk.database
  await desk.place()
  // Rows of the schedule without orders: a claim reads an order by its id, however many orders there are.
  await sql`
    insert into open_orders (order_id, route, next_step_at)
    select gen_random_uuid(), 'long/data/MTN', now() - make_interval(secs => n) from generate_series(1, 50000) as n`.execute(
    ownerDb,
  )
  await sql`analyze open_orders`.execute(ownerDb)
  try {
    const scans = await explainStatements(applicationUrl, async (db) => {
      await expect(claimOpenOrders(db, 'long/data/MTN', 64)).rejects.toThrow('has lost its order')
    })
    expect(scans.filter(({ type, table }) => type === 'Seq Scan' && table === 'open_orders')).toEqual([])
    expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(1_000)
  } finally {
    await sql`delete from open_orders where route = 'long/data/MTN'`.execute(ownerDb)
  }
})
