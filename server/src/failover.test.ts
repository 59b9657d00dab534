import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setUpWorkers } from '../test/set-up-workers.ts'
import type { RunningSimulator } from '../test/start-simulator.ts'
import { writeSupplier } from '../test/write-secrets.ts'
import { demoPackages } from './demo/demo-catalogue.ts'
import { statusOf, until, untilStatus } from './orders/dispatch/order-bench.fixture.ts'
import { type PlacedOrder, placeTestOrders } from './orders/intake/place-test-orders.fixture.ts'
import { loadSecretsKeys } from './platform/secrets/load-secrets-keys.ts'
import { readSupplierChange } from './suppliers/registry/read-supplier-change.ts'
import { pauseRoutesByHand, resumeRoutesByHand } from './suppliers/routes/write-route.ts'

const town = setUpWorkers(demoPackages)

/** A line of the simulator's own log: what was delivered, and by which supplier. */
type Effect = { readonly supplier: string; readonly reference: string }

/** The time after which a new worker replaces the running one, and the first supplier behaves in another way. */
const spellMilliseconds = 700

/** Waits until a route is open again. Its next probe is made due, so that a test need not wait the seconds between two probes. */
async function untilOpen(supplier: string): Promise<void> {
  await sql`update routes set paused_until = clock_timestamp()
    where supplier = ${supplier} and state = 'paused' and paused_until is not null`.execute(town.db)
  await until(async () => !(await routeStates(supplier)).has('paused'))
}

/** Waits until an order is sent for the first time. @returns the supplier that it is sent to */
async function untilSent({ orderId }: PlacedOrder): Promise<string> {
  const sends = town.db.selectFrom('attempts').select('supplier').where('order_id', '=', orderId).orderBy('attempt_no')
  let supplier: string | undefined
  await until(async () => (supplier = (await sends.executeTakeFirst())?.supplier) !== undefined)
  return supplier ?? ''
}

/**
 * Places one order after the other until one is sent to this supplier first. Then the worker, which is a process of its
 * own, has seen which routes are open. The worker may see some moments late that a route was paused or opened.
 *
 * @returns the orders that were sent to another supplier before
 */
async function untilSentTo(supplier: string): Promise<PlacedOrder[]> {
  const elsewhere: PlacedOrder[] = []
  await until(async () => {
    const [order] = await place(1)
    const first = await untilSent(order!)
    if (first === supplier) await town.untilEnded([order!])
    else elsewhere.push(order!)
    return first === supplier
  })
  return elsewhere
}

async function place(count: number, ending = '00', network = 'MTN', supplier = 'datamart'): Promise<PlacedOrder[]> {
  const recipients = Array.from({ length: count }, (_, index) => `024${String(index).padStart(7 - ending.length, '0')}${ending}`)
  const details = { network, size: '1GB' }
  return placeTestOrders(town.db, town.accountId, recipients, { supplier, network, pricePesewas: 370, details })
}

async function countCompleted(orders: readonly PlacedOrder[]): Promise<number> {
  const ids = orders.map(({ orderId }) => orderId)
  const rows = await town.db.selectFrom('orders').select('id').where('id', 'in', ids).where('status', '=', 'completed').execute()
  return rows.length
}

/** Counts the attempts of these orders about which a supplier was asked. */
async function countAsked(orders: readonly PlacedOrder[]): Promise<number> {
  const ids = orders.map(({ orderId }) => orderId)
  const rows = await town.db
    .selectFrom('attempts')
    .select('order_id')
    .where('order_id', 'in', ids)
    .where('asks', '>', 0)
    .execute()
  return rows.length
}

/**
 * Finds for each order the supplier that really delivered it, from the effect logs of all suppliers. Fails when an
 * order was delivered twice.
 */
async function deliverersByOrder(simulators: readonly RunningSimulator[] = [town.simulator]): Promise<Map<string, string>> {
  const attempts = await town.db.selectFrom('attempts').select(['order_id', 'supplier', 'outgoing_reference']).execute()
  const attemptOf = new Map(attempts.map((attempt) => [attempt.outgoing_reference, attempt]))
  const deliverers = new Map<string, string>()
  for (const { url } of simulators) {
    const { effects } = (await (await fetch(`${url}/effects`)).json()) as { effects: Effect[] }
    for (const { supplier, reference } of effects) {
      const attempt = attemptOf.get(reference)
      expect(attempt?.supplier, `${supplier} delivered ${reference}, which was not sent to it`).toBe(supplier)
      const orderId = attempt?.order_id ?? ''
      expect(deliverers.has(orderId), `the order ${orderId} was delivered twice`).toBe(false)
      deliverers.set(orderId, supplier)
    }
  }
  return deliverers
}

/** Every order that is completed was delivered once, and none that was refunded was delivered. */
async function expectEachDeliveredOnce(orders: readonly PlacedOrder[], simulators?: readonly RunningSimulator[]) {
  const deliverers = await deliverersByOrder(simulators)
  for (const { orderId } of orders) expect(deliverers.has(orderId)).toBe((await statusOf(town.db, orderId)) === 'completed')
  return deliverers
}

async function routeStates(supplier: string): Promise<Set<string>> {
  const rows = await town.db.selectFrom('routes').select('state').where('supplier', '=', supplier).execute()
  return new Set(rows.map((row) => row.state))
}

async function suppliersAsked(orders: readonly PlacedOrder[]): Promise<string[]> {
  const ids = orders.map(({ orderId }) => orderId)
  const rows = await town.db.selectFrom('attempts').select('supplier').distinct().where('order_id', 'in', ids).execute()
  return rows.map((row) => row.supplier).toSorted()
}

test('while the first supplier hangs, waiting orders go out through the second, what it may have taken waits for proof, and it recovers by itself', async () => {
  await town.simulator.control({ datamart: { outage: 'hang' } })
  await town.startWorker()
  const early = await place(4)
  await until(async () => (await routeStates('datamart')).has('paused'))
  early.push(...(await untilSentTo('datakazina')))
  const waiting = await place(60)
  await town.untilEnded(waiting)
  expect(await countCompleted(waiting)).toBe(60)
  expect(await suppliersAsked(waiting)).toEqual(['datakazina'])
  // These orders were sent to the supplier that hangs, so nobody knows what became of them. The other supplier, which
  // works, does not get them.
  expect(await suppliersAsked(early)).toEqual(['datamart'])
  for (const { orderId } of early) expect(await statusOf(town.db, orderId)).toBe('processing')
  await town.simulator.control({ datamart: { outage: 'none' } })
  await untilOpen('datamart')
  // The first supplier never received the orders, which its look-ups prove in time; only then the second one gets them.
  await town.untilEnded(early)
  expect(await countCompleted(early)).toBe(early.length)
  const deliverers = await expectEachDeliveredOnce([...early, ...waiting])
  expect(early.map(({ orderId }) => deliverers.get(orderId))).toEqual(early.map(() => 'datakazina'))
  const turned = await untilSentTo('datamart')
  const late = await place(5)
  await town.untilEnded([...turned, ...late])
  expect(await suppliersAsked(late)).toEqual(['datamart'])
})

test('a supplier that hangs after taking orders is asked about them alone: none is delivered by the second one too', async () => {
  // The first supplier delivers the orders, but its answers are lost. Then its look-ups hang as well.
  await town.simulator.control({ datamart: { scripts: { '*': 'answer_lost' } } })
  const orders = await place(20)
  const worker = await town.startWorker()
  await until(async () => {
    const { count } = (await (await fetch(`${town.simulator.url}/effects/count`)).json()) as { count: number }
    return count === 20
  })
  await town.simulator.control({ datamart: { outage: 'hang' } })
  await town.endWorker(worker)
  await town.endLeases()
  // Every question hangs until it is given up. A short time-out lets the test ask about all orders soon.
  await town.startWorker({ SIMULATOR_CALL_SECONDS: '1' })
  await until(async () => (await countAsked(orders)) === 20)
  expect(await suppliersAsked(orders)).toEqual(['datamart'])
  await town.simulator.control({ datamart: { outage: 'none' } })
  await town.untilEnded(orders)
  const deliverers = await expectEachDeliveredOnce(orders)
  expect(new Set(deliverers.values())).toEqual(new Set(['datamart']))
  expect(await countCompleted(orders)).toBe(20)
})

test('while our float at the first supplier is empty, orders go out through the second, and back when it is filled', async () => {
  await town.simulator.control({ datamart: { floatGhs: 0 } })
  await town.startWorker()
  const orders = await place(40)
  await town.untilEnded(orders)
  expect(await countCompleted(orders)).toBe(40)
  expect(new Set((await expectEachDeliveredOnce(orders)).values())).toEqual(new Set(['datakazina']))
  expect(await routeStates('datamart')).toEqual(new Set(['paused']))
  await town.simulator.control({ datamart: { floatGhs: 1_000 } })
  await untilOpen('datamart')
  const turned = await untilSentTo('datamart')
  const later = await place(5)
  await town.untilEnded([...turned, ...later])
  expect(await suppliersAsked(later)).toEqual(['datamart'])
})

test('an order that both suppliers refuse takes turns and goes out through the first that takes orders again', async () => {
  await town.simulator.control({
    datamart: { scripts: { '*': 'float_refused' } },
    datakazina: { scripts: { '*': 'float_refused' } },
  })
  await town.startWorker()
  const [order] = await place(1)
  await until(async () => (await suppliersAsked([order!])).length === 2)
  expect(await statusOf(town.db, order!.orderId)).toBe('processing')
  await town.simulator.control({ datamart: { scripts: { '*': null } } })
  await untilStatus(town.db, order!.orderId, 'completed')
  expect([...(await expectEachDeliveredOnce([order!])).values()]).toEqual(['datamart'])
})

test('a worker that is killed again and again while the first supplier comes and goes delivers nothing twice and loses nothing', async () => {
  const orders = await place(150)
  for (const outage of ['hang', 'none', 'refuse', 'float_empty', 'none']) {
    await town.simulator.control({ datamart: { outage } })
    const worker = await town.startWorker()
    await sleep(spellMilliseconds)
    await town.endWorker(worker)
    await town.endLeases()
  }
  await town.startWorker()
  await town.startWorker()
  await town.untilEnded(orders)
  const deliverers = await expectEachDeliveredOnce(orders)
  expect(await countCompleted(orders)).toBe(150)
  expect(new Set(deliverers.values()).size).toBeGreaterThan(0)
})

test('an order is not held for a supplier that does not offer its package, also when that one is first', async () => {
  await sql`delete from package_offers using packages
    where packages.id = package_id and supplier = 'datamart' and network = 'Telecel'`.execute(town.db)
  await pauseRoutesByHand(town.db, { supplier: 'datakazina' }, { reason: 'test', seconds: null }, 'test')
  const orders = await place(5, '00', 'Telecel', 'datamart')
  await town.startWorker()
  await until(async () => {
    const held = await town.db.selectFrom('open_orders').select('hold_reason').where('hold_reason', '=', 'not_offered').execute()
    return held.length === 5
  })
  expect(await suppliersAsked(orders)).toEqual([])
  await resumeRoutesByHand(town.db, { supplier: 'datakazina' }, 'test')
  await town.untilEnded(orders)
  expect(new Set((await expectEachDeliveredOnce(orders)).values())).toEqual(new Set(['datakazina']))
  expect(await routeStates('datamart')).toEqual(new Set(['open']))
})

test('every scripted ending at the supplier that is asked by its own code ends as the table says, delivered at most once', async () => {
  const endings = { '001': 'completed', '901': 'refunded', '903': 'completed', '904': 'refunded', '905': 'refunded' } as const
  const later = { '907': 'refunded', '908': 'completed', '909': 'completed' } as const
  const wanted = { ...endings, ...later }
  const orders = await Promise.all(
    Object.keys(wanted).map(async (ending) => (await place(1, ending, 'AT-BigTime', 'datakazina'))[0] as PlacedOrder),
  )
  await town.startWorker()
  await Promise.all(Object.values(wanted).map((status, index) => untilStatus(town.db, orders[index]!.orderId, status)))
  expect((await expectEachDeliveredOnce(orders)).size).toBe(4)
})

test('without the code of a lost order nobody learns its end: it is asked about, never sent elsewhere, and waits for a person', async () => {
  town.leaveOpen('nobody learns how the order ended')
  await town.simulator.control({ datakazina: { isDuplicateCodeTold: false } })
  const [order] = await place(1, '903', 'AT-BigTime', 'datakazina')
  await town.startWorker()
  await until(async () => {
    const rows = await town.db.selectFrom('attempt_answers').select('answer').where('answer', '=', 'duplicate_exists').execute()
    return rows.length >= 3
  })
  expect(await statusOf(town.db, order!.orderId)).toBe('processing')
  const attempts = await town.db.selectFrom('attempts').selectAll().where('order_id', '=', order!.orderId).execute()
  expect(attempts.map(({ outcome, supplier_reference }) => [outcome, supplier_reference])).toEqual([['accepted', null]])
  expect([...(await deliverersByOrder()).values()]).toEqual(['datakazina'])
})

test('while nobody listens at the first supplier, nothing of an order can have left, so it goes to the second at once', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const keys = await loadSecretsKeys({ secretsKey: { base64: town.secretsKey } } as Parameters<typeof loadSecretsKeys>[0])
  const change = (words: string[]) => readSupplierChange(words)
  const { db } = town
  const datamart = ['credentials.apiKey=simulated-datamart-key', 'credentials.webhookSecret=simulated-datamart-secret']
  await writeSupplier(db, keys, 'datamart', change([`base_url=http://127.0.0.1:${port}/datamart`, ...datamart]), 'test')
  const datakazina = [`base_url=${town.simulator.url}/datakazina`, 'credentials.apiKey=simulated-datakazina-key']
  await writeSupplier(db, keys, 'datakazina', change(datakazina), 'test')
  await town.startWorker({ SUPPLIERS: 'live' })
  const orders = await place(30)
  await town.untilEnded(orders)
  const deliverers = await expectEachDeliveredOnce(orders)
  expect(new Set(deliverers.values())).toEqual(new Set(['datakazina']))
  expect(await countCompleted(orders)).toBe(30)
  const refused = await db.selectFrom('attempts').select('outcome').where('supplier', '=', 'datamart').execute()
  expect(new Set(refused.map(({ outcome }) => outcome))).toEqual(new Set(['unreachable']))
  expect(await routeStates('datamart')).toEqual(new Set(['paused']))
  // With the times of real suppliers, the first probe comes after a minute. A person who has repaired the supplier need
  // not wait for it. A supplier that moves to another host begins without credentials.
  await writeSupplier(db, keys, 'datamart', change([`base_url=${town.simulator.url}/datamart`, ...datamart]), 'test')
  await resumeRoutesByHand(db, { supplier: 'datamart' }, 'test')
  await untilOpen('datamart')
  const turned = await untilSentTo('datamart')
  const later = await place(5)
  await town.untilEnded([...turned, ...later])
  expect(await suppliersAsked(later)).toEqual(['datamart'])
})
