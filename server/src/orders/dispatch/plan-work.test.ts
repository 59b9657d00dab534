import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setUpOrders } from '../intake/set-up-orders.fixture.ts'
import { statusOf } from './order-bench.fixture.ts'
import { type PlanDeps, planWork } from './plan-work.ts'
import { openStubAdapter } from './stub-supplier.fixture.ts'
import type { Work } from './work.ts'

const route = 'stub/data/MTN'
const delivered = { meaning: 'delivered', evidence: 'it is there' } as const
const desk = setUpOrders()

/** A worker that does something else after it has claimed, and before it begins attempts. */
function interrupted(meanwhile: () => Promise<void>): PlanDeps {
  const deps = desk.bench.depsFor([openStubAdapter('http://127.0.0.1:9')])
  const fulfilments = [...deps.fulfilments].map(([kind, fulfilment]) => {
    const listCapableSuppliers: typeof fulfilment.listCapableSuppliers = async (db, orders) => {
      await meanwhile()
      return fulfilment.listCapableSuppliers(db, orders)
    }
    return [kind, { ...fulfilment, listCapableSuppliers }] as const
  })
  return { ...deps, fulfilments: new Map(fulfilments) }
}

async function deliver({ work }: { work: readonly Work[] }): Promise<void> {
  await desk.settle(...(await Promise.all(work.map((each) => desk.conclude(each, delivered)))))
}

async function countAttempts(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from attempts`.execute(desk.db)
  return rows[0]?.count ?? 0
}

test('an order whose lease went to another worker before its attempt began is not sent, and nothing is written for it', async () => {
  const [lost, kept] = await desk.placeMany(2)
  const before = await countAttempts()
  const takeOver = async () => {
    await sql`update open_orders set lease_no = lease_no + 1 where order_id = ${lost?.orderId}`.execute(desk.db)
  }
  const plan = await planWork(interrupted(takeOver), desk.db, route, 10)
  expect(plan.work.map(({ claimed }) => claimed.order.id)).toEqual([kept?.orderId])
  expect((await countAttempts()) - before).toBe(1)
  expect(await statusOf(desk.db, lost?.orderId ?? '')).toBe('pending')
  await deliver(plan)
  await desk.endLeases()
  await deliver(await desk.plan(10))
})

test('a worker that cannot go on after its claim gives the leases back, so that the orders need not wait for their end', async () => {
  await desk.placeMany(2)
  const fails = () => Promise.reject(new Error('the list of offers could not be read'))
  await expect(planWork(interrupted(fails), desk.db, route, 10)).rejects.toThrow('the list of offers')
  const { work } = await desk.plan(10)
  expect(work.map(({ call }) => call)).toEqual(['send', 'send'])
  await deliver({ work })
})
