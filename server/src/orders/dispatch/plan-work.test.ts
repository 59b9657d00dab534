import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../../platform/database/new-id.ts'
import { setUpOrders } from '../intake/set-up-orders.fixture.ts'
import { statusOf } from './order-bench.fixture.ts'
import type { Work } from './perform-work.ts'
import { type PlanDeps, planWork } from './plan-work.ts'
import { openStubAdapter } from './stub-supplier.fixture.ts'

const route = 'stub/data/MTN'
const delivered = { meaning: 'delivered', evidence: 'it is there' } as const
const desk = setUpOrders()

/** A worker of a supplier that knows only its own references, so a lost answer is asked for by sending again. */
function resending(): PlanDeps {
  return desk.bench.depsFor([openStubAdapter('http://127.0.0.1:9', { statusNeedsSupplierReference: true })])
}

/** A worker that does something else after it has claimed, and before it begins attempts. */
function interrupted(meanwhile: () => Promise<void>, deps: PlanDeps = resending()): PlanDeps {
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

/** An order that was sent by a worker that died, and one that is still to be sent. */
async function placeSentAndUnsent(): Promise<{ sent: string; unsent: string }> {
  const { orderId: sent } = await desk.place()
  await desk.begin()
  await desk.endLeases()
  const { orderId: unsent } = await desk.place()
  return { sent, unsent }
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

test.each([
  ['went to another worker', sql`lease_no = lease_no + 1`, false],
  ['is too old for the call to end under it', sql`lease_until = clock_timestamp() + interval '45 seconds'`, true],
])('an order is not sent again when its lease %s before the re-send began', async (_what, change, isGivenBack) => {
  const { sent, unsent } = await placeSentAndUnsent()
  const readAttempt = async () => (await sql`select * from attempts where order_id = ${sent}`.execute(desk.db)).rows
  const before = await readAttempt()
  const meanwhile = async () => {
    await sql`update open_orders set ${change} where order_id = ${sent}`.execute(desk.db)
  }
  const plan = await planWork(interrupted(meanwhile), desk.db, route, 10)
  expect(plan.work.map(({ call, claimed }) => [call, claimed.order.id])).toEqual([['send', unsent]])
  expect(await readAttempt()).toEqual(before)
  const free = await sql`select from open_orders where order_id = ${sent} and lease_until = '-infinity'`.execute(desk.db)
  expect(free.rows.length === 1).toBe(isGivenBack)
  await deliver(plan)
  await desk.endLeases()
  await deliver(await desk.plan(10))
})

test('when some calls of a claim cannot begin, those that began are made, and only the others are given back', async () => {
  const { sent, unsent } = await placeSentAndUnsent()
  const deps = resending()
  const fulfilments = [...deps.fulfilments].map(([kind, fulfilment]) => {
    const expect = () => Promise.reject(new Error('the costs could not be read'))
    return [kind, { ...fulfilment, costs: { ...fulfilment.costs, expect } }] as const
  })
  const plan = await planWork({ ...deps, fulfilments: new Map(fulfilments) }, desk.db, route, 10)
  expect(plan.work.map(({ call, claimed }) => [call, claimed.order.id])).toEqual([['resend', sent]])
  const next = await desk.plan(10)
  expect(next.work.map(({ call, claimed }) => [call, claimed.order.id])).toEqual([['send', unsent]])
  await deliver(plan)
  await deliver(next)
})

test('an order that history had lost and that was placed again is asked about before it is sent', async () => {
  const { orderId } = await desk.place()
  await sql`insert into history_gaps (id, noticed_by, reason, went_back_to, known_until, accepted_at, accepted_by)
    values (${newId()}, 'test', 'test', now(), now(), now(), 'test')`.execute(desk.db)
  await sql`insert into missing_orders (order_id, gap_id, account_id, price, acknowledged_at, kind, reference)
    select ${orderId}, id, ${desk.accountId}, 450, now(), 'data', 'lost' from history_gaps`.execute(desk.db)
  expect((await desk.plan(10)).work).toEqual([])
  const { work } = await desk.plan(10)
  expect(work.map(({ call, attempt }) => ({ call, isOnlyAsked: attempt.isOnlyAsked }))).toEqual([
    { call: 'status', isOnlyAsked: true },
  ])
  await deliver({ work })
  expect(await statusOf(desk.db, orderId)).toBe('completed')
})
