import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { pesewas } from '../../money/pesewas.ts'
import { type Bench, movesOf, openBench, statusOf, until, untilStatus } from '../../orders/dispatch/order-bench.fixture.ts'
import { type OrderLoop, runOrderLoop } from '../../orders/dispatch/run-order-loop.ts'
import { openStubAdapter, type Stub, type StubReply, startStub } from '../../orders/dispatch/stub-supplier.fixture.ts'
import { failOverdueMistakes } from '../../orders/settlement/fail-overdue-mistakes.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { DataSupplier } from '../../suppliers/ports.ts'
import { pauseRoutes } from '../../suppliers/routes/pause-route.ts'
import { pauseRoutesByHand, resumeRoutesByHand } from '../../suppliers/routes/write-route.ts'
import { writePackages } from './catalogue/write-packages.ts'
import { createDataFulfilment } from './dispatch-data.ts'
import { closeOffer, reopenOffer } from './offers/close-and-reopen-offer.ts'
import { listOffers } from './offers/list-offers.ts'
import { setUpData } from './set-up-data.fixture.ts'

const { shop, bundle, buy } = setUpData()
const offer = { network: 'Telecel', volumeGb: 1 }
const refused: StubReply = { meaning: 'rejected_request', evidence: 'Invalid capacity' }
const suppliers = ['datamart', 'datakazina'] as const
type Name = (typeof suppliers)[number]

let bench: Bench
let stubs: Map<Name, Stub>
let adapters: DataSupplier[]
let answers: Record<Name, () => StubReply>
let loop: OrderLoop
let key: string

beforeAll(async () => {
  bench = await openBench(shop.db)
  stubs = new Map(
    await Promise.all(
      suppliers.map(
        async (name) =>
          [
            name,
            await startStub((_request, deliver) => {
              const answer = answers[name]()
              if (typeof answer === 'object' && answer.meaning === 'delivered') deliver()
              return answer
            }),
          ] as const,
      ),
    ),
  )
  adapters = suppliers.map((name) => openStubAdapter(stubs.get(name)?.url ?? '', { name }))
})
afterAll(async () => {
  await Promise.all(adapters.map((adapter) => adapter.close()))
  await Promise.all([...stubs.values()].map((stub) => stub.close()))
  await bench.close()
})
beforeEach(async () => {
  ;({ key } = await shop.app.makeReseller({ balancePesewas: 1_000_000 }))
  const delivered = () => ({ meaning: 'delivered', evidence: 'sent' }) as const
  answers = { datamart: delivered, datakazina: delivered }
  await offerBy({ datamart: '1', datakazina: '1000' })
  await sql`update alarms set cleared_at = now() where cleared_at is null`.execute(shop.db)
  const deps = bench.depsFor(adapters)
  loop = runOrderLoop({ ...deps, fulfilments: new Map([['data', createDataFulfilment(shop.db, bench.epoch)]]) })
})
afterEach(async () => {
  await loop.stop({ callSeconds: 1, commitSeconds: 5 })
  await sql`update open_orders set next_step_at = 'infinity'`.execute(shop.db)
  await resumeRoutesByHand(shop.db, { supplier: 'datamart' }, 'test')
})

/** Sets the codes under which suppliers offer Telecel's 1 GB. Null removes an offer; others stay. */
async function offerBy(codes: Partial<Record<Name, string | null>>): Promise<void> {
  const offers = new Map(
    Object.entries(codes).map(([name, code]) => [name, code === null ? null : { code, costPesewas: pesewas(300) }] as const),
  )
  const prices = { priceCustomer: pesewas(580), priceAgent: pesewas(510), priceDealer: pesewas(480) }
  const { problems } = await inTransaction(shop.db, (tx) =>
    writePackages(tx, [{ ...offer, ...prices, offers }], { isBelowCostAllowed: false }),
  )
  expect(problems).toEqual([])
}

const purchase = () => buy(key, bundle({ network: 'Telecel', recipient: '0201234567' }))

async function place(): Promise<string> {
  const bought = await purchase()
  expect([bought.status, bought.body.error]).toEqual([200, undefined])
  return bought.body.data.order_id
}

async function closedOffers(): Promise<string[]> {
  return (await listOffers(shop.db)).filter(({ closedAt }) => closedAt !== null).map(({ supplier }) => supplier)
}

function openAlarms(name: string) {
  return shop.db.selectFrom('alarms').selectAll().where('name', '=', name).where('cleared_at', 'is', null).execute()
}

async function holdOf(orderId: string) {
  const { rows } = await sql<{ hold_reason: string | null; is_timed: boolean }>`
    select hold_reason, our_mistake_since is not null as is_timed from open_orders where order_id = ${orderId}`.execute(shop.db)
  return rows[0]
}

/** Makes the order look as if our mistake had happened this long ago. */
async function age(orderId: string, minutes: number): Promise<void> {
  await sql`
    update open_orders set our_mistake_since = our_mistake_since - make_interval(mins => ${minutes})
    where order_id = ${orderId}`.execute(shop.db)
}

const failOverdue = () => failOverdueMistakes(bench.depsFor(adapters))
const isHeld = (orderId: string) => until(async () => (await holdOf(orderId))?.hold_reason === 'not_offered')

test('a supplier that refuses our request loses that offer, with an alarm, and the order goes to the next one', async () => {
  answers.datamart = () => refused
  const orderId = await place()
  await untilStatus(shop.db, orderId, 'completed')
  expect(await closedOffers()).toEqual(['datamart'])
  expect(await openAlarms('offer_closed')).toMatchObject([
    { subject: 'Telecel 1GB datamart', message: expect.stringContaining('Invalid capacity') },
  ])
  // Only this offer of DataMart is closed. A new order of the same package goes to DataKazina, and DataMart gets no
  // request.
  const asked = stubs.get('datamart')?.requests.length
  await untilStatus(shop.db, await place(), 'completed')
  expect(stubs.get('datamart')?.requests.length).toBe(asked)
})

test('with nobody else the order waits, the package is not sold, and both go on when the offer is reopened', async () => {
  await offerBy({ datakazina: null })
  answers.datamart = () => refused
  const orderId = await place()
  await isHeld(orderId)
  expect(await holdOf(orderId)).toEqual({ hold_reason: 'not_offered', is_timed: true })
  expect((await purchase()).status).toBe(404)
  expect(await failOverdue()).toBe(0)
  answers.datamart = () => ({ meaning: 'delivered', evidence: 'sent' })
  expect(await reopenOffer(shop.db, { ...offer, supplier: 'datamart' }, 'ama')).toBe('reopened')
  expect(await reopenOffer(shop.db, { ...offer, supplier: 'datamart' }, 'ama')).toBe('open')
  expect(await reopenOffer(shop.db, { ...offer, supplier: 'nobody' }, 'ama')).toBe('missing')
  await untilStatus(shop.db, orderId, 'completed')
  expect(await openAlarms('offer_closed')).toEqual([])
  await untilStatus(shop.db, await place(), 'completed')
})

test('importing the package’s line again reopens the offer, a list that does not name the supplier does not', async () => {
  answers.datamart = () => refused
  await untilStatus(shop.db, await place(), 'completed')
  await offerBy({ datakazina: '1000' })
  expect(await closedOffers()).toEqual(['datamart'])
  await offerBy({ datamart: '1' })
  expect(await closedOffers()).toEqual([])
  expect(await openAlarms('offer_closed')).toEqual([])
})

test('after the patience the order fails and is refunded once, and the alarm stays', async () => {
  await offerBy({ datakazina: null })
  answers.datamart = () => refused
  const orderId = await place()
  await isHeld(orderId)
  await age(orderId, 29)
  expect(await failOverdue()).toBe(0)
  expect(await statusOf(shop.db, orderId)).toBe('processing')
  await age(orderId, 2)
  const counts = await Promise.all(Array.from({ length: 8 }, failOverdue))
  expect(counts.reduce((sum, count) => sum + count)).toBe(1)
  expect(await movesOf(shop.db, orderId)).toEqual(['pending>processing', 'processing>failed', 'failed>refunded'])
  expect(await shop.balance(key)).toBe(10_000)
  expect(await openAlarms('offer_closed')).toHaveLength(1)
})

test('an order that was never sent, because its offer was closed before, has the same deadline', async () => {
  await offerBy({ datakazina: null })
  await pauseRoutesByHand(shop.db, { supplier: 'datamart' }, { reason: 'test', seconds: null }, 'test')
  await bench.routes.refresh()
  const orderId = await place()
  // A person's pause is no mistake of ours.
  await until(async () => (await holdOf(orderId))?.hold_reason === 'route_paused')
  expect(await holdOf(orderId)).toEqual({ hold_reason: 'route_paused', is_timed: false })
  await sql`update package_offers set closed_at = now() where supplier = 'datamart'
    and package_id in (select id from packages where network = 'Telecel' and volume_gb = 1)`.execute(shop.db)
  await sql`update open_orders set next_step_at = now() where order_id = ${orderId}`.execute(shop.db)
  await isHeld(orderId)
  await age(orderId, 31)
  expect(await failOverdue()).toBe(1)
  expect(await movesOf(shop.db, orderId)).toEqual(['pending>failed', 'failed>refunded'])
})

test('refused credentials give the orders that wait for them the same deadline', async () => {
  await offerBy({ datakazina: null })
  answers.datamart = () => ({ meaning: 'rejected_platform', cause: 'auth', evidence: 'bad key' })
  await inTransaction(shop.db, (tx) => pauseRoutes(tx, { supplier: 'datamart' }, { reason: 'auth', seconds: null }))
  await bench.routes.refresh()
  const orderId = await place()
  await until(async () => (await holdOf(orderId))?.hold_reason === 'route_paused')
  expect(await holdOf(orderId)).toEqual({ hold_reason: 'route_paused', is_timed: true })
  await age(orderId, 31)
  expect(await failOverdue()).toBe(1)
  expect(await statusOf(shop.db, orderId)).toBe('refunded')
})

test('an attempt that may have been executed is only asked about, however our request is refused then', async () => {
  await offerBy({ datakazina: null })
  answers.datamart = () => ({ meaning: 'unknown', evidence: 'time-out' })
  const orderId = await place()
  await until(async () => (stubs.get('datamart')?.requests ?? []).some(({ call }) => call === 'status'))
  answers.datamart = () => refused
  const asked = () => stubs.get('datamart')?.requests.length ?? 0
  const before = asked()
  await until(() => asked() >= before + 2)
  await sql`update open_orders set our_mistake_since = now() - interval '1 day' where order_id = ${orderId}`.execute(shop.db)
  expect(await failOverdue()).toBe(0)
  const attempts = await shop.db.selectFrom('attempts').select('supplier').where('order_id', '=', orderId).execute()
  expect([await statusOf(shop.db, orderId), attempts]).toEqual(['processing', [{ supplier: 'datamart' }]])
})

test('a code that was changed while the old one was being refused stays open', async () => {
  const { id } = await shop.db
    .selectFrom('packages')
    .select('id')
    .where('network', '=', 'Telecel')
    .where('volume_gb', '=', '1')
    .executeTakeFirstOrThrow()
  const close = (code: string) => closeOffer(shop.db, { packageId: id, supplier: 'datamart', code, because: 'no' })
  expect([await close('0.9'), await closedOffers()]).toEqual([false, []])
  expect([await close('1'), await close('1'), await closedOffers()]).toEqual([true, false, ['datamart']])
})
