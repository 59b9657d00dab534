import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { setUpOrders } from '../intake/set-up-orders.fixture.ts'
import { openCallbackQueue } from './callback-queue.ts'

const desk = setUpOrders()

beforeEach(() => desk.leaveOpen('no worker settles what a callback says'))

const delivered = { meaning: 'delivered', evidence: 'told' } as const

async function countTold(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from attempt_answers where source = 'callback'`.execute(
    desk.db,
  )
  return rows[0]?.count ?? 0
}

async function beginMany(count: number): Promise<string[]> {
  await desk.placeMany(count)
  const { work } = await desk.plan(count)
  return work.map(({ attempt }) => attempt.outgoingReference)
}

test('each of many callbacks at once is kept, and told of its own reference', async () => {
  const queue = openCallbackQueue(desk.db)
  const references = await beginMany(30)
  const before = await countTold()
  const all = [...references, 'nobody', ...references]
  const outcomes = await Promise.all(
    all.map((outgoingReference) => queue.note({ supplier: 'stub', outgoingReference, answer: delivered })),
  )
  expect(outcomes).toEqual(all.map((reference) => (reference === 'nobody' ? 'unknown_reference' : 'noted')))
  expect((await countTold()) - before).toBe(30)
})

test('a callback that the database refuses does not take its neighbours with it', async () => {
  const queue = openCallbackQueue(desk.db)
  const [first = '', poisoned = '', last = ''] = await beginMany(3)
  const note = (outgoingReference: string, supplierReference: string) =>
    queue.note({ supplier: 'stub', outgoingReference, answer: { ...delivered, supplierReference } })
  const outcomes = await Promise.allSettled([note(first, 'S-1'), note(poisoned, 'a NUL: \0'), note(last, 'S-3')])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('callbacks about open orders make them due, whether or not others came with them', async () => {
  const queue = openCallbackQueue(desk.db)
  const references = await beginMany(2)
  await sql`update open_orders set lease_until = '-infinity', next_step_at = clock_timestamp() + interval '1 hour'
    where order_id in (select order_id from attempts where outgoing_reference = any(${references}))`.execute(desk.db)
  await Promise.all(references.map((outgoingReference) => queue.note({ supplier: 'stub', outgoingReference, answer: delivered })))
  const { rows } = await sql<{ is_due: boolean }>`
    select next_step_at <= clock_timestamp() as is_due from open_orders
    where order_id in (select order_id from attempts where outgoing_reference = any(${references}))`.execute(desk.db)
  expect(rows).toEqual([{ is_due: true }, { is_due: true }])
})
