import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { SupplierAnswer } from '../../suppliers/ports.ts'
import { setUpOrders } from '../intake/set-up-orders.fixture.ts'
import type { Work } from './perform-work.ts'
import { planWork } from './plan-work.ts'
import { createSentOrderCache } from './sent-order-cache.ts'
import { openStubAdapter } from './stub-supplier.fixture.ts'

const desk = setUpOrders()
const accepted = { meaning: 'accepted', evidence: 'taken', supplierReference: 'S-1' } as const
const delivered = { meaning: 'delivered', evidence: 'it is there' } as const

/** Places and sends an order, and settles the supplier's answer as a worker does that keeps sent orders in memory. */
async function send(kept: ReturnType<typeof createSentOrderCache>, answer: SupplierAnswer): Promise<Work> {
  await desk.place()
  const work = await desk.begin()
  const settlement = await desk.conclude(work, answer)
  kept.recordCall(settlement, work)
  kept.addCommitted(await desk.settle(settlement))
  await sql`update open_orders set next_step_at = clock_timestamp() where order_id = ${work.claimed.order.id}`.execute(desk.db)
  return work
}

/** Claims the due order. `isKept` is true when the order came from memory. */
async function claim(kept: ReturnType<typeof createSentOrderCache>): Promise<{ work: Work; isKept: boolean }> {
  const found: boolean[] = []
  const deps = desk.bench.depsFor([openStubAdapter('http://127.0.0.1:9')])
  const findCached: typeof kept.find = (row) => {
    const known = kept.find(row)
    found.push(known !== undefined)
    return known
  }
  const plan = await planWork({ ...deps, findCached }, desk.db, 'stub/data/MTN', 1)
  return { work: plan.work[0] as Work, isKept: found[0] === true }
}

async function end(work: Work): Promise<void> {
  await desk.settle(await desk.conclude(work, delivered))
}

test('an order that a supplier took is remembered until it is asked about, as the database knows it', async () => {
  const kept = createSentOrderCache()
  const sent = await send(kept, accepted)
  const { work, isKept } = await claim(kept)
  expect(isKept).toBe(true)
  // A worker without the memory reads the same facts from the database.
  await desk.endLeases()
  const read = await desk.plan(1)
  const plain = ({ claimed: { leaseNo: _leaseNo, claimedAt: _claimedAt, order, ...claimed }, attempt }: Work) => ({
    ...claimed,
    attempt,
    order: { ...order, updatedAt: undefined },
  })
  expect(plain(work)).toEqual(plain(read.work[0] as Work))
  expect(work.attempt).toMatchObject({
    orderId: sent.attempt.orderId,
    attemptNo: 1,
    supplierReference: 'S-1',
    outcome: 'accepted',
    asks: 1,
  })
  await end(read.work[0] as Work)
})

test('an order that another worker had meanwhile is read again', async () => {
  const kept = createSentOrderCache()
  await send(kept, accepted)
  await desk.plan(1)
  await desk.endLeases()
  const { work, isKept } = await claim(kept)
  expect(isKept).toBe(false)
  expect(work.call).toBe('status')
  await end(work)
})

test('an order about which a doubt is open is not remembered', async () => {
  const kept = createSentOrderCache()
  await send(kept, { meaning: 'unknown', evidence: 'no answer' })
  const { work, isKept } = await claim(kept)
  expect(isKept).toBe(false)
  await end(work)
})
