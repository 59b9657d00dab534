import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { retryWhileOverloaded } from '../../../test/retry-while-busy.ts'
import { concludeWork } from '../../orders/dispatch/conclude-work.ts'
import { type Bench, openBench, statusOf } from '../../orders/dispatch/order-bench.fixture.ts'
import { planWork } from '../../orders/dispatch/plan-work.ts'
import { openStubAdapter } from '../../orders/dispatch/stub-supplier.fixture.ts'
import { refundByPerson } from '../../orders/manual/refund-by-person.ts'
import { listOrdersById } from '../../orders/order.ts'
import { claimQueuedOrders } from '../../orders/schedule/claim-queued-orders.ts'
import { concludeQueuedOrders } from '../../orders/settlement/conclude-queued-orders.ts'
import { settleOrders } from '../../orders/settlement/settle-orders.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { dataKind } from './data.kind.ts'
import { dataAutoRefund } from './data.settings.ts'
import { setUpData } from './set-up-data.fixture.ts'

const { shop, bundle, buy, changeCatalogue } = setUpData()

/** No server listens at this address: the tests give the supplier’s answers. */
const adapter = openStubAdapter('http://127.0.0.1:9', { name: 'datamart' })
let bench: Bench
let key: string

beforeAll(async () => {
  bench = await openBench(shop.db)
})
afterAll(() => bench.close())
beforeEach(async () => {
  ;({ key } = await shop.app.makeReseller({ balancePesewas: 1_000_000 }))
  await setStock(1)
})

async function setStock(stock: number | null): Promise<void> {
  await changeCatalogue(sql`update packages set stock = ${stock} where network = 'Telecel' and volume_gb = 1`)
}

async function stock(): Promise<number | null> {
  const { rows } = await sql<{ stock: number | null }>`
    select stock from packages where network = 'Telecel' and volume_gb = 1`.execute(shop.db)
  return rows[0]?.stock ?? null
}

const telecel = (more: object = {}) => bundle({ network: 'Telecel', recipient: '0201234567', ...more })

async function place(): Promise<string> {
  const order = telecel()
  const bought = await retryWhileOverloaded(() => buy(key, order))
  expect([bought.status, bought.body.error]).toEqual([200, undefined])
  return bought.body.data.order_id
}

/** Claims the order and settles it, as a worker does after this final answer of the supplier. */
async function endAs(orderId: string, meaning: 'failed' | 'delivered'): Promise<void> {
  const deps = bench.depsFor([adapter])
  const { work } = await planWork(deps, shop.db, 'datamart/data/Telecel', 100)
  const ours = work.find(({ claimed }) => claimed.order.id === orderId)
  if (!ours) throw new Error('the order was not claimed')
  const settlement = await concludeWork(deps, ours, { meaning, evidence: 'said by the test' })
  await settleOrders(shop.db, [settlement])
}

test('an order of a limited package that fails gives its stock back with the refund, and the package is sold again', async () => {
  const orderId = await place()
  expect(await stock()).toBe(0)
  expect((await buy(key, telecel())).status).toBe(404)
  await endAs(orderId, 'failed')
  expect([await statusOf(shop.db, orderId), await stock()]).toEqual(['refunded', 1])
  await shop.app.untilSeen()
  const listed = await shop.app.call('GET', '/packages?network=Telecel&size_gb=1', { key })
  expect(listed.body.data.total).toBe(1)
  await place()
  expect(await stock()).toBe(0)
})

test('an order that is delivered keeps what it took', async () => {
  const orderId = await place()
  await endAs(orderId, 'delivered')
  expect([await statusOf(shop.db, orderId), await stock()]).toEqual(['completed', 0])
})

test('a refund that two people agreed on gives the stock back', async () => {
  const orderId = await place()
  await shop.refund(orderId)
  expect([await statusOf(shop.db, orderId), await stock()]).toEqual(['refunded', 1])
})

test('with automatic refunds off, the stock comes back when a person refunds, and only once', async () => {
  await writeSetting(shop.db, dataAutoRefund, false, 'test')
  await shop.app.untilSeen()
  const orderId = await place()
  await bench.epoch.refresh()
  await endAs(orderId, 'failed')
  await writeSetting(shop.db, dataAutoRefund, true, 'test')
  expect([await statusOf(shop.db, orderId), await stock()]).toEqual(['failed', 0])
  const order = (await listOrdersById(shop.db, [orderId])).get(orderId)
  if (!order) throw new Error('the order is gone')
  const refunds = await Promise.all(Array.from({ length: 8 }, () => refundByPerson(shop.db, dataKind, order, 'ama')))
  expect(refunds.filter(Boolean)).toHaveLength(1)
  expect(await stock()).toBe(1)
})

test('an order that waits for its number until the deadline gives its stock back', async () => {
  const orderId = await place()
  await sql`update orders set status = 'queued' where id = ${orderId}`.execute(shop.db)
  await sql`update open_orders set hold_reason = 'not_registered' where order_id = ${orderId}`.execute(shop.db)
  await inTransaction(shop.db, async (tx) => {
    const claimed = await claimQueuedOrders(tx, 100)
    const decision = { do: 'fail', reason: 'not_registered', isRefunded: true } as const
    await concludeQueuedOrders(
      tx,
      dataKind,
      claimed.map((queued) => ({ queued, decision })),
    )
  })
  expect([await statusOf(shop.db, orderId), await stock()]).toEqual(['refunded', 1])
})

test('nothing is given back for an order that took nothing, nor to a package that has become unlimited', async () => {
  await setStock(null)
  const free = await place()
  await setStock(5)
  await shop.refund(free)
  expect(await stock()).toBe(5)
  const limited = await place()
  await setStock(null)
  await shop.refund(limited)
  expect(await stock()).toBeNull()
})

test('purchases and refunds of one limited package that race end with every one counted', async () => {
  await setStock(40)
  const first = await Promise.all(Array.from({ length: 20 }, place))
  expect(await stock()).toBe(20)
  await Promise.all([...first.map((orderId) => shop.refund(orderId)), ...Array.from({ length: 15 }, place)])
  expect(await stock()).toBe(25)
})
