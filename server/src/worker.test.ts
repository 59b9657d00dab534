import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { anHour } from '../test/patience.ts'
import { setUpWorkers } from '../test/set-up-workers.ts'
import { testPackages } from '../test/test-catalogue.ts'
import { statusOf, until, untilStatus } from './orders/dispatch/order-bench.fixture.ts'
import { type PlacedOrder, placeTestOrders } from './orders/intake/place-test-orders.fixture.ts'
import type { OrderStatus } from './orders/order-life-cycle.ts'

const town = setUpWorkers(testPackages)

/** A line of the simulator's own log: what was delivered, and when. */
type Effect = { readonly reference: string; readonly at: string }

async function place(recipients: readonly string[]): Promise<PlacedOrder[]> {
  const details = { network: 'MTN', size: '1GB' }
  return placeTestOrders(town.db, town.accountId, recipients, { supplier: 'datamart', pricePesewas: 520, details })
}

async function listEffects(): Promise<Effect[]> {
  const response = await fetch(`${town.simulator.url}/effects`)
  return ((await response.json()) as { effects: Effect[] }).effects
}

const attemptsOf = ({ orderId }: PlacedOrder) =>
  town.db.selectFrom('attempts').selectAll().where('order_id', '=', orderId).execute()

async function countAttempts(): Promise<number> {
  const { count } = await town.db
    .selectFrom('attempts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** How often each order was really delivered. */
async function deliveriesByOrder(): Promise<Map<string, number>> {
  const rows = await town.db.selectFrom('attempts').select(['order_id', 'outgoing_reference']).execute()
  const orderOf = new Map(rows.map((row) => [row.outgoing_reference, row.order_id]))
  const counts = new Map<string, number>()
  for (const { reference } of await listEffects()) {
    const orderId = orderOf.get(reference)
    expect(orderId, `the simulator delivered ${reference}, which no attempt knows`).toBeDefined()
    counts.set(orderId ?? '', (counts.get(orderId ?? '') ?? 0) + 1)
  }
  return counts
}

describe('against the simulator', () => {
  test('each scripted ending ends or holds as the table says, delivered at most once', async () => {
    town.leaveOpen('the supplier refuses us for ever over the number that ends in 906')
    const endings: [string, OrderStatus][] = [
      ['0240000001', 'completed'],
      ['0240000901', 'refunded'],
      ['0240000903', 'completed'],
      ['0240000904', 'refunded'],
      ['0240000905', 'refunded'],
      ['0240000907', 'refunded'],
      ['0240000908', 'completed'],
      ['0240000909', 'completed'],
    ]
    // The order must be seen waiting, and then delivered.
    await town.simulator.control({ datamart: { lateDeliveryMilliseconds: anHour } })
    const orders = await place([...endings.map(([recipient]) => recipient), '0240000902', '0240000906'])
    await town.startWorker()
    const [slow, held] = orders.slice(-2)
    await untilStatus(town.db, orders[0]!.orderId, 'completed')
    await until(async () => (await attemptsOf(slow!)).some(({ outcome }) => outcome === 'accepted'))
    expect(await statusOf(town.db, slow!.orderId)).toBe('processing')
    await town.simulator.endAll()
    await Promise.all(endings.map(([, wanted], index) => untilStatus(town.db, orders[index]!.orderId, wanted)))
    expect(await statusOf(town.db, held!.orderId)).toBe('processing')
    const attempts = await attemptsOf(held!)
    expect(attempts.length).toBeGreaterThan(1)
    expect(new Set(attempts.map(({ outcome }) => outcome).filter((outcome) => outcome !== null))).toEqual(
      new Set(['rejected_platform']),
    )
    await untilStatus(town.db, slow!.orderId, 'completed')
    const deliveries = await deliveriesByOrder()
    expect(Math.max(...deliveries.values())).toBe(1)
  })
})

describe('a worker process', () => {
  test('that is killed at any moment, again and again, delivers no order twice and loses none', async () => {
    const orders = await place(Array.from({ length: 400 }, (_, index) => `02400${String(index).padStart(3, '0')}00`))
    for (const milliseconds of [0, 60, 150]) {
      const before = await countAttempts()
      const worker = await town.startWorker()
      await until(async () => (await countAttempts()) > Math.min(before, orders.length - 1))
      // The wait differs, so that the kill does not always come at the same step of the first orders.
      await sleep(milliseconds)
      await town.endWorker(worker)
      await town.endLeases()
    }
    await town.startWorker()
    await town.startWorker()
    await town.untilEnded(orders)
    const deliveries = await deliveriesByOrder()
    expect(Math.max(...deliveries.values())).toBe(1)
    for (const { orderId } of orders) {
      expect(['completed', 'refunded']).toContain(await statusOf(town.db, orderId))
      expect(deliveries.has(orderId)).toBe((await statusOf(town.db, orderId)) === 'completed')
    }
  })

  test('that is paused between committing an attempt and sending it never sends it late', async () => {
    // The commit takes two seconds, so that the pause certainly falls between it and the send.
    await sql`create function commit_slowly() returns trigger language plpgsql as $$
      begin perform pg_sleep(2); return null; end $$`.execute(town.database.ownerDb)
    await sql`create constraint trigger attempts_commit_slowly after insert on attempts
      deferrable initially deferred for each row execute function commit_slowly()`.execute(town.database.ownerDb)
    const [order] = await place(['0240000000'])
    const worker = await town.startWorker()
    await until(async () => {
      const { rows } =
        await sql`select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(
          town.database.ownerDb,
        )
      return rows.length > 0
    })
    worker.kill('SIGSTOP')
    const isTooLate = sql`select from attempts where send_before < clock_timestamp()`
    await until(async () => (await isTooLate.execute(town.db)).rows.length > 0)
    worker.kill('SIGCONT')
    await town.untilEnded([order!])
    const [late, ...others] = await town.db.selectFrom('attempts').selectAll().orderBy('attempt_no').execute()
    expect(late?.outcome).toBe('not_sent')
    // On a busy machine the next attempt, or its answer, may be lost on the way to the simulator. The late attempt
    // never arrives.
    const delivered = others.filter(({ outcome }) => outcome === 'delivered').map((attempt) => attempt.outgoing_reference)
    expect((await listEffects()).map(({ reference }) => reference)).toEqual(delivered)
    expect(await statusOf(town.db, order!.orderId)).toBe(delivered.length === 1 ? 'completed' : 'refunded')
  })

  test('that is asked to stop finishes its calls, commits their answers and leaves the rest to the next one', async () => {
    await town.simulator.control({ datamart: { answerMilliseconds: 300 } })
    const orders = await place(Array.from({ length: 200 }, (_, index) => `02400${String(index).padStart(3, '0')}00`))
    const worker = await town.startWorker()
    await until(async () => (await countAttempts()) > 0)
    await town.endWorker(worker, 'SIGTERM')
    expect(worker.exitCode).toBe(0)
    const leased = await town.db.selectFrom('open_orders').select('order_id').where('lease_until', '>', new Date()).execute()
    expect(leased).toEqual([])
    await town.startWorker()
    await town.untilEnded(orders)
    expect(Math.max(...(await deliveriesByOrder()).values())).toBe(1)
  })
})
