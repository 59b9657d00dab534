import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { patientCallSeconds } from '../server/test/patience.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { openJournal } from './src/journal.ts'
import { bulkCall, makeDataBody } from './src/make-calls.ts'
import { liftRateLimits, openShop, type Shop } from './src/open-shop.ts'
import { type PlacingDeps, placeUntilDefinite } from './src/place-surely.ts'
import { type Random, runSeconds, startRandomRun } from './src/random.ts'
import { waitUntil } from './src/wait-until.ts'
import { type Answer, type Receiver, startReceiver } from './src/webhook-receiver.ts'

/**
 * New rounds are started during this many seconds; each strike comes at least once. Workers are started so often that it is
 * left out of the tests that run each time.
 */
const strikeSeconds = runSeconds(0)
if (strikeSeconds === 0)
  process.stdout.write('Webhooks are proven in long runs alone: npm run proof -w proof -- --seconds 60 proof/webhooks\n')

const ordersOfRound = 8

/** Endings of numbers whose orders are delivered, or refused later. Unlike a refusal at once, both can be learnt after a kill, too. */
const endings = ['000', '907']

let installation: Installation
let placing: PlacingDeps
let shop: Shop
/** Two endpoints of one shop: both are sent the same events. */
let healthy: Receiver
let hostile: Receiver

async function openEndpoint(): Promise<Receiver> {
  const receiver = await startReceiver()
  const made = await installation.command<{ secret: string }>('webhook', 'make', receiver.url, '--account', shop.accountId)
  receiver.setSecret(made.secret)
  return receiver
}

const killWorkers = () => Promise.all(installation.workers.map((worker) => worker.kill()))

/** Kills the workers while one of them waits for what `statement` locks. Calls `onHeld` when it is locked. */
async function killWorkersAt(statement: string, values: readonly unknown[] = [], onHeld = () => {}): Promise<void> {
  const connection = await installation.connectAsOwner()
  try {
    await connection.query('begin')
    const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid')
    await connection.query(statement, [...values])
    onHeld()
    const waiting = `select from pg_stat_activity where $1 = any(pg_blocking_pids(pid)) and application_name like 'makola worker%'`
    await waitUntil('a worker waits', async () => (await installation.query(waiting, [rows[0]?.pid])).length > 0)
    await killWorkers()
  } finally {
    await connection.end()
  }
}

type HeldRequest = { readonly eventId: string; readonly take: () => void }

/** Waits for the next request to the healthy endpoint. It is answered when `take` is called. */
async function nextRequest(): Promise<HeldRequest> {
  const held: HeldRequest[] = []
  healthy.answer(({ id: eventId }) => {
    healthy.answer(() => 'take')
    return new Promise((answer) => void held.push({ eventId, take: () => answer('take') }))
  })
  await waitUntil('an event is sent', () => held.length > 0)
  return held[0] as HeldRequest
}

const noteOfDelivery =
  'select from webhook_deliveries join webhook_events using (event_no) where id = $1 for update of webhook_deliveries'

/** Ways to kill the workers, by the step that they are in. */
const strikes: Readonly<Record<string, (random: Random) => Promise<unknown>>> = {
  'an order moves': () => killWorkersAt('lock table order_events in share mode'),
  'events are made': () => killWorkersAt('lock table webhook_events in share mode'),
  'an endpoint is claimed': () => killWorkersAt('lock table webhook_endpoints in share mode'),
  async 'a request is under way'() {
    const { take } = await nextRequest()
    await killWorkers()
    take()
  },
  async 'an answer is noted'() {
    const { eventId, take } = await nextRequest()
    await killWorkersAt(noteOfDelivery, [eventId], take)
  },
  async 'any, and the API with them'(random) {
    await sleep(random.between(200, 1_500))
    await Promise.all([...installation.workers, ...installation.apis].map((each) => each.kill()))
  },
  async 'any, and the hostile program with them'(random) {
    await hostile.stopListening()
    await sleep(random.between(200, 1_500))
    await killWorkers()
  },
}

/** Ends what the killed workers hold: a lease of 60 s is too long for a proof. */
async function forgetWorkers(): Promise<void> {
  const sessions = `select from pg_stat_activity where application_name like 'makola worker%'`
  await waitUntil('the sessions of killed workers end', async () => (await installation.query(sessions)).length === 0)
  await installation.query(`update webhook_endpoints set lease_until = '-infinity', next_try_at = '-infinity'`)
  await installation.query(`update open_orders set lease_until = '-infinity' where lease_until > clock_timestamp()`)
}

async function strike(name: string, random: Random): Promise<void> {
  await strikes[name]?.(random)
  await killWorkers()
  await forgetWorkers()
  await hostile.startListening()
  await installation.heal()
}

async function placeOrders(random: Random, round: number): Promise<void> {
  const orders = Array.from({ length: ordersOfRound }, (_, no) => makeDataBody(`webhooks-${round}-${no}`, random.pick(endings)))
  expect(await placeUntilDefinite(placing, bulkCall(shop, orders))).toMatchObject({ status: 200 })
}

/** The events that each order must have sent: one for each move, except to `pending`, in their order. */
async function listMoves(): Promise<Map<string, string[]>> {
  const rows = await installation.query<{ id: string; types: string[] }>(
    `select order_id as id, array_agg('order.' || to_status order by event_no) as types
     from order_events where to_status <> 'pending' group by 1`,
  )
  return new Map(rows.map(({ id, types }) => [id, types]))
}

/** The events of each order as a shop keeps them: it leaves out an event whose id it took before. */
function listTaken({ taken }: Receiver): Map<string, string[]> {
  const orders = new Map<string, string[]>()
  for (const { orderId, type } of new Map(taken.map((event) => [event.id, event])).values())
    if (orderId !== undefined) orders.set(orderId, [...(orders.get(orderId) ?? []), type])
  return orders
}

const countEvents = (orders: ReadonlyMap<string, readonly string[]>) => [...orders.values()].flat().length

/** Waits until all is delivered. The pauses between tries grow to an hour, so they are ended here. */
async function untilAllIsTaken(): Promise<void> {
  await waitUntil('every order has ended', async () => (await installation.query('select from open_orders')).length === 0)
  await waitUntil('every event was taken', async () => {
    await installation.query(`update webhook_deliveries set next_try_at = '-infinity' where state = 'waiting' and tries > 0`)
    await installation.query(`update webhook_endpoints set next_try_at = '-infinity' where failures > 0`)
    const made = countEvents(await listMoves())
    return [healthy, hostile].every((receiver) => countEvents(listTaken(receiver)) >= made)
  })
}

describe.skipIf(strikeSeconds === 0)('webhooks', () => {
  beforeAll(async () => {
    installation = await startInstallation({ apis: 1, workers: 0, simulator: { SIMULATOR_TIME_SCALE: '0.1' } })
    // A call that is given up on a busy machine would pause its route.
    await Promise.all([1, 2].map(() => installation.startWorker({ callSeconds: patientCallSeconds })))
    const journal = openJournal(join(installation.dataDir, 'webhooks.jsonl'))
    placing = { client: await installation.openClient(), journal, apis: installation.apis }
    ;[shop] = await Promise.all([openShop(installation, { name: 'efua', fundsGhs: '100000.00' }), liftRateLimits(installation)])
    ;[healthy, hostile] = await Promise.all([openEndpoint(), openEndpoint()])
  })
  afterAll(async () => {
    await Promise.all([healthy?.stopListening(), hostile?.stopListening()])
    await installation?.destroy()
  })

  test('every event reaches its shop, in the order of its order, while workers are killed at each step and a receiver misbehaves', async () => {
    const random = startRandomRun('webhooks')
    onTestFailed(() => console.error(installation.readLogs()))
    const misdeeds: readonly Answer[] = ['take', 'refuse', 'hang', 'cut', 'redirect']
    hostile.answer(() => random.pick(misdeeds))
    const names = Object.keys(strikes)
    const startedAt = performance.now()
    let rounds = 0
    for (; rounds < names.length || performance.now() - startedAt < strikeSeconds * 1_000; rounds += 1) {
      const name = names[rounds] ?? random.pick(names)
      await Promise.all([strike(name, random), placeOrders(random, rounds)])
    }
    hostile.answer(() => 'take')
    await untilAllIsTaken()
    const moves = await listMoves()
    expect(moves.size).toBe(rounds * ordersOfRound)
    for (const receiver of [healthy, hostile]) {
      expect(listTaken(receiver)).toEqual(moves)
      expect(receiver.forged).toEqual([])
      expect(receiver.followed()).toBe(0)
    }
    expect((await installation.tryCommand('audit')).json).toMatchObject({ ok: true })
  })
})
