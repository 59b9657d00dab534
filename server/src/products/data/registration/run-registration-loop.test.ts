import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { personNamed } from '../../../../test/make-account.ts'
import { movesOf } from '../../../orders/dispatch/order-bench.fixture.ts'
import { askOrderNow } from '../../../orders/manual/ask-order-now.ts'
import { settleByPeople } from '../../../orders/manual/settle-by-people.ts'
import { claimOpenOrders, listDueRoutes } from '../../../orders/schedule/claim-open-orders.ts'
import { claimQueuedOrders } from '../../../orders/schedule/claim-queued-orders.ts'
import { raiseStuckAlarms } from '../../../orders/schedule/raise-stuck-alarms.ts'
import { concludeQueuedOrders } from '../../../orders/settlement/conclude-queued-orders.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { products } from '../../products.ts'
import { dataKind } from '../data.kind.ts'
import { dataAutoRefund, queuedDeadlineDays, registrationServers } from '../data.settings.ts'
import { eventually, openRegistrationShop, type RegistrationShop } from './registration-shop.fixture.ts'

let shop: RegistrationShop
let key: string
const workers = new Set<{ stop(): Promise<void> }>()
beforeAll(async () => {
  shop = await openRegistrationShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  ;({ key } = await shop.app.makeReseller())
})
afterEach(async () => {
  await Promise.all([...workers].map((worker) => worker.stop()))
  workers.clear()
  await shop.steerBack()
  // Waiting orders of one test must not be claimed in the next one.
  await sql`update open_orders set next_step_at = 'infinity', lease_until = '-infinity'`.execute(shop.app.database.ownerDb)
})

const log = pino({ level: 'silent' })
const queued = 'queued'

async function work(): Promise<void> {
  workers.add(await shop.startWorker())
}

type PlacedHere = { readonly orderId: string; readonly reference: string; readonly recipient: string }

/**
 * Buys, and returns the order's id and reference. On a machine that stands still for longer than a purchase waits for the
 * servers, the number rightly passes unchecked; then another reseller buys for another number.
 */
async function place(ending: string, status: string = queued, triesLeft = 3): Promise<PlacedHere> {
  const body = shop.order(shop.number(ending))
  const { data } = (await shop.buy(key, body)).body
  if (status === queued && data.status === 'pending' && triesLeft > 1) {
    ;({ key } = await shop.app.makeReseller())
    return place(ending, status, triesLeft - 1)
  }
  expect(data.status).toBe(status)
  return { orderId: data.order_id as string, reference: body.reference, recipient: body.recipient }
}

/** Makes the workers deliver an order placed now, which shows that they have checked everything due before. */
async function seeLaterOrderDelivered(): Promise<void> {
  const other = await shop.app.makeReseller()
  const { body } = await shop.buy(other.key, shop.order('0201234567', { network: 'Telecel' }))
  await eventually(async () => (await attemptsOf(body.data.order_id as string))[0]?.outcome, 'delivered')
}

const becomes = (reference: string, status: string) => eventually(() => shop.statusOf(key, reference), status)

const attemptsOf = (orderId: string) =>
  shop.app.database.db.selectFrom('attempts').selectAll().where('order_id', '=', orderId).orderBy('attempt_no').execute()

async function effectsFor(recipient: string): Promise<number> {
  const response = await fetch(`${shop.simulator.url}/effects?recipient=${recipient}`)
  return ((await response.json()) as { effects: unknown[] }).effects.length
}

/** Pretends that an order was placed earlier than it was. */
const age = (orderId: string, interval: string) =>
  sql`update orders set created_at = created_at - ${interval}::interval where id = ${orderId}`.execute(shop.app.database.ownerDb)

const holdOf = async (orderId: string) =>
  (await shop.app.database.db.selectFrom('open_orders').selectAll().where('order_id', '=', orderId).executeTakeFirst())
    ?.hold_reason

describe('with the gate off, an accepted order', () => {
  it('ends as the table of scripted numbers says: queued until its number registers, then delivered once', async () => {
    await work()
    const endings = ['911', '912', '913', '914', '915', '916', '917', '000'] as const
    const orders = endings.map((ending) => shop.order(shop.number(ending)))
    const { body } = await shop.buyBatch(key, orders)
    const placed = (body.data.orders as { order_id: string; status: string }[]).map((order, index) => ({
      ...order,
      reference: orders[index]?.reference ?? '',
      recipient: orders[index]?.recipient ?? '',
    }))
    for (const [index, ending] of endings.entries()) {
      const { reference, recipient } = placed[index] ?? { reference: '', recipient: '' }
      if (ending === '917') continue
      await becomes(reference, 'completed')
      expect(await effectsFor(recipient)).toBe(1)
    }
    const [first, , , , , , last] = placed
    expect(first?.status).toBe(queued)
    expect(await movesOf(shop.app.database.db, first?.order_id ?? '')).toEqual([
      'queued>pending',
      'pending>processing',
      'processing>completed',
    ])
    expect(await shop.statusOf(key, last?.reference ?? '')).toBe(queued)
    expect(await attemptsOf(last?.order_id ?? '')).toEqual([])
    expect(await effectsFor(last?.recipient ?? '')).toBe(0)
    expect(await shop.balance(key)).toBeCloseTo(1_000 - 8 * 5.2)
  })

  it('is submitted to all accepted servers, is asked about live, and is not sent before its number is registered', async () => {
    const { orderId, reference, recipient } = await place('917')
    await work()
    await eventually(async () => (await shop.requestsAbout(recipient)).filter(({ what }) => what === 'submitted').length, 2)
    await seeLaterOrderDelivered()
    expect(await attemptsOf(orderId)).toEqual([])
    await shop.steer({ scripts: { [recipient]: 'registered' } })
    await becomes(reference, 'completed')
    expect(await effectsFor(recipient)).toBe(1)
  })

  it('is asked about on its own schedule, not whenever the dispatching loop looks', async () => {
    const { recipient } = await place('917')
    await work()
    // The servers are asked by the purchase, and by the worker at its first look and at its second one, which is 5 s
    // later.
    const asked = async () => (await shop.requestsAbout(recipient)).filter(({ what, server }) => what === 'asked' && server === 1)
    await eventually(async () => (await asked()).length >= 3, true)
    const [, first, second] = await asked()
    expect(Number(second?.at) - Number(first?.at)).toBeGreaterThan(4_900)
  })

  it('goes by the servers that are accepted now, not by those of its purchase', async () => {
    await shop.set(registrationServers, [2])
    const { reference, recipient } = await place('912')
    const before = (await shop.requestsAbout(recipient)).length
    await work()
    await eventually(async () => (await shop.requestsAbout(recipient)).length > before, true)
    await seeLaterOrderDelivered()
    expect(await shop.statusOf(key, reference)).toBe(queued)
    await shop.set(registrationServers, [1, 2])
    await becomes(reference, 'completed')
  })

  it('stays queued while the servers cannot be asked: their silence releases nothing', async () => {
    const { orderId, reference, recipient } = await place('917')
    await shop.steer({ outages: { 1: 'error', 2: 'error' } })
    const before = (await shop.requestsAbout(recipient)).length
    await work()
    await eventually(async () => (await shop.requestsAbout(recipient)).length > before, true)
    await seeLaterOrderDelivered()
    expect(await shop.statusOf(key, reference)).toBe(queued)
    expect(await holdOf(orderId)).toBe('not_registered')
  })

  it('is looked at at once when the operator asks', async () => {
    const { orderId, reference, recipient } = await place('917')
    await sql`update open_orders set next_step_at = clock_timestamp() + interval '1 hour' where order_id = ${orderId}`.execute(
      shop.app.database.ownerDb,
    )
    await shop.steer({ scripts: { [recipient]: 'registered' } })
    await work()
    await seeLaterOrderDelivered()
    expect(await shop.statusOf(key, reference)).toBe(queued)
    await askOrderNow(shop.app.database.db, { id: orderId, reference }, 'test')
    await becomes(reference, 'completed')
  })
})

describe('an order whose number the supplier calls unregistered', () => {
  it('is held for registration and sent again after it, under a new reference, and delivered once', async () => {
    await shop.steer({ outages: { 1: 'error', 2: 'error' } })
    const { orderId, reference, recipient } = await place('911', 'pending')
    await work()
    await eventually(() => holdOf(orderId), 'not_registered')
    expect(await shop.statusOf(key, reference)).toBe('processing')
    await shop.steerBack()
    await becomes(reference, 'completed')
    const attempts = await attemptsOf(orderId)
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['not_registered', 'delivered'])
    expect(new Set(attempts.map((attempt) => attempt.outgoing_reference)).size).toBe(2)
    expect(await effectsFor(recipient)).toBe(1)
    expect(await movesOf(shop.app.database.db, orderId)).toEqual(['pending>processing', 'processing>completed'])
  })
})

describe('an order whose number never registers', () => {
  it('fails after queued_deadline_days and is refunded, without ever having been sent', async () => {
    const { orderId, reference, recipient } = await place('917')
    await age(orderId, '6 days 23 hours')
    const before = (await shop.requestsAbout(recipient)).length
    await work()
    await eventually(async () => (await shop.requestsAbout(recipient)).length > before, true)
    await seeLaterOrderDelivered()
    expect(await shop.statusOf(key, reference)).toBe(queued)
    await age(orderId, '2 hours')
    await askOrderNow(shop.app.database.db, { id: orderId, reference }, 'test')
    await becomes(reference, 'refunded')
    expect(await movesOf(shop.app.database.db, orderId)).toEqual(['queued>failed', 'failed>refunded'])
    expect(await attemptsOf(orderId)).toEqual([])
    expect(await holdOf(orderId)).toBeUndefined()
    expect(await shop.balance(key)).toBe(1_000)
  })

  it('fails after as many days as the operator set, also while the servers are away, but not when it has registered by then', async () => {
    await shop.set(queuedDeadlineDays, 2)
    const [away, late] = [await place('917'), await place('917')]
    for (const { orderId } of [away, late]) await age(orderId, '49 hours')
    await shop.steer({ scripts: { [away.recipient]: 'both_unreachable', [late.recipient]: 'registered' } })
    await work()
    await becomes(away.reference, 'refunded')
    await becomes(late.reference, 'completed')
    expect(await shop.balance(key)).toBeCloseTo(1_000 - 5.2)
    await shop.set(queuedDeadlineDays, 7)
  })

  it('waits for a person to refund it while data_auto_refund is off', async () => {
    await shop.set(dataAutoRefund, false)
    const { orderId, reference } = await place('917')
    await age(orderId, '8 days')
    await work()
    await becomes(reference, 'failed')
    await seeLaterOrderDelivered()
    expect(await shop.statusOf(key, reference)).toBe('failed')
    expect(await shop.balance(key)).toBeCloseTo(1_000 - 5.2)
    await shop.set(dataAutoRefund, true)
  })

  it('also fails by the deadline when a supplier was the one that called it unregistered', async () => {
    await shop.steer({ outages: { 1: 'error', 2: 'error' } })
    const { orderId, reference } = await place('917', 'pending')
    await work()
    await eventually(() => holdOf(orderId), 'not_registered')
    expect(await shop.statusOf(key, reference)).toBe('processing')
    await age(orderId, '8 days')
    await askOrderNow(shop.app.database.db, { id: orderId, reference }, 'test')
    await becomes(reference, 'refunded')
    expect(await movesOf(shop.app.database.db, orderId)).toEqual(['pending>processing', 'processing>failed', 'failed>refunded'])
    expect((await attemptsOf(orderId)).every(({ outcome }) => outcome === 'not_registered')).toBe(true)
    expect(await shop.balance(key)).toBe(1_000)
  })

  it('alarms the operator after 48 hours, not before', async () => {
    const { db } = shop.app.database
    const { orderId, reference } = await place('917')
    const alarms = async () => {
      await raiseStuckAlarms(db, log)
      return (await db.selectFrom('alarms').select(['subject', 'message']).where('cleared_at', 'is', null).execute()).filter(
        ({ subject, message }) => subject.includes('not_registered') && message.includes(reference),
      )
    }
    await age(orderId, '47 hours 59 minutes')
    expect(await alarms()).toEqual([])
    await age(orderId, '2 minutes')
    expect(await alarms()).toHaveLength(1)
  })

  it('can be failed earlier by the operator: two people, and the money goes back', async () => {
    const { db } = shop.app.database
    const { orderId, reference } = await place('917')
    const word = { orderId, outcome: 'failed', evidence: 'the customer gave up' } as const
    expect((await settleByPeople(db, products, { ...word, person: personNamed('ama') })).state).toBe('proposed')
    expect((await settleByPeople(db, products, { ...word, person: personNamed('kofi') })).state).toBe('settled')
    expect(await shop.statusOf(key, reference)).toBe('refunded')
    expect(await shop.balance(key)).toBe(1_000)
    expect((await settleByPeople(db, products, { ...word, outcome: 'completed', person: personNamed('ama') })).state).toBe(
      'refused',
    )
  })
})

describe('several workers', () => {
  const claim = () => inTransaction(shop.app.database.db, (tx) => claimQueuedOrders(tx, 100))

  it('release each of many orders for few numbers exactly once', async () => {
    const numbers = [shop.number('911'), shop.number('911'), shop.number('911')]
    const orders = Array.from({ length: 60 }, (_, index) => shop.order(numbers[index % 3] ?? ''))
    const { body } = await shop.buyBatch(key, orders)
    await Promise.all([work(), work(), work()])
    for (const { reference } of orders) await becomes(reference, 'completed')
    for (const { order_id: orderId } of body.data.orders as { order_id: string }[]) {
      expect((await movesOf(shop.app.database.db, orderId)).filter((move) => move === 'queued>pending')).toHaveLength(1)
      expect(await attemptsOf(orderId)).toHaveLength(1)
    }
    for (const number of numbers) expect(await effectsFor(number)).toBe(20)
  })

  it('never dispatch an order that waits for its number: its place in the schedule is hidden from the dispatching loop', async () => {
    const { db } = shop.app.database
    const { orderId } = await place('917')
    const { route } = await db.selectFrom('open_orders').select('route').where('order_id', '=', orderId).executeTakeFirstOrThrow()
    expect(await listDueRoutes(db)).not.toContain(route)
    expect(await claimOpenOrders(db, route, 100)).toEqual([])
    expect((await claim()).map(({ order }) => order.id)).toContain(orderId)
  })

  it('leave an order to the one that claimed it, and take it over when its lease ends; the late word then changes nothing', async () => {
    const { orderId, reference } = await place('917')
    const [dead] = await claim()
    expect(dead?.order.id).toBe(orderId)
    expect(await claim()).toEqual([])
    await sql`update open_orders set lease_until = clock_timestamp() - interval '1 second' where order_id = ${orderId}`.execute(
      shop.app.database.ownerDb,
    )
    const [next] = await claim()
    expect(next?.order.id).toBe(orderId)
    if (!dead || !next) throw new Error('not claimed')
    const conclude = (held: typeof dead) =>
      inTransaction(shop.app.database.db, (tx) =>
        concludeQueuedOrders(tx, dataKind, [
          { queued: held, decision: { do: 'fail', reason: 'not_registered', isRefunded: true } },
        ]),
      )
    expect(await conclude(dead)).toEqual([])
    expect(await shop.statusOf(key, reference)).toBe(queued)
    expect(await conclude(next)).toHaveLength(1)
    expect(await conclude(next)).toEqual([])
    expect(await shop.balance(key)).toBe(1_000)
  })

  it('end within seconds when they are stopped in the middle of a hanging question, and give the order back', async () => {
    const { orderId, recipient, reference } = await place('917')
    await shop.steer({ scripts: { [recipient]: 'registered' }, outages: { 1: 'hang', 2: 'hang' } })
    const worker = await shop.startWorker()
    // The purchase asked both servers; any further question is the worker's.
    await eventually(async () => (await shop.requestsAbout(recipient)).filter(({ what }) => what === 'asked').length > 2, true)
    await worker.stop()
    const row = await shop.app.database.db
      .selectFrom('open_orders')
      .select(sql<boolean>`lease_until > clock_timestamp()`.as('is_leased'))
      .where('order_id', '=', orderId)
      .executeTakeFirst()
    expect(row?.is_leased).toBe(false)
    await shop.steer({ outages: { 1: 'none', 2: 'none' } })
    await work()
    await becomes(reference, 'completed')
  })
})
