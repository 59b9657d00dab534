import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest'
import { findEffectBreaches } from './src/breaches/find-effect-breaches.ts'
import { findSettlementBreaches } from './src/breaches/find-settlement-breaches.ts'
import { type LedgerWatch, watchLedger } from './src/breaches/watch-ledger.ts'
import { type StatusWatch, watchStatuses } from './src/breaches/watch-statuses.ts'
import type { Client } from './src/client.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { type Call, openJournal, readAnsweredOrders } from './src/journal.ts'
import { airtimeCall, airtimeNetworks, billCall, billers, makeAirtimeBody, makeBillBody } from './src/make-calls.ts'
import { type CommissionShop, liftRateLimits, openCommissionShop } from './src/open-shop.ts'
import { placeUntilDefinite } from './src/place-surely.ts'
import { createRandom, startRandomRun } from './src/random.ts'
import { waitUntil } from './src/wait-until.ts'

let installation: Installation
let client: Client
let shop: CommissionShop
let ledger: LedgerWatch
let statuses: StatusWatch

beforeAll(async () => {
  installation = await startInstallation()
  client = await installation.openClient()
  const opening = openCommissionShop(installation, { name: 'adwoa', fundsGhs: '1000000.00' })
  shop = (await Promise.all([opening, liftRateLimits(installation)]))[0]
})
afterAll(() => installation?.destroy())
beforeEach(() => {
  ledger = watchLedger(installation)
  statuses = watchStatuses(client, installation.apis)
})
afterEach(async () => {
  await Promise.all([ledger.stop(), statuses.stop()])
})

async function tellSimulator(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${installation.simulator.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`the simulator answers ${response.status} to ${path}: ${await response.text()}`)
}

type Sent = { readonly orderId: string; readonly reference: string; readonly outgoingReference: string }

/** One top-up on each network and one bill of each biller, all with this ending. */
function callsOf(name: string, ending: string): Call[] {
  return [
    ...airtimeNetworks.map((network) => airtimeCall(shop, makeAirtimeBody(`${name}-${network}`, ending, network))),
    ...billers.map((biller) => billCall(shop, makeBillBody(`${name}-${biller}`, ending, biller))),
  ]
}

/** Places orders and waits until their supplier has answered. */
async function send(name: string, ending: string): Promise<Sent[]> {
  const placing = { client, journal: openJournal(join(installation.dataDir, `${name}.jsonl`)), apis: installation.apis }
  const placed = await Promise.all(
    callsOf(name, ending).map(async (call, no) => {
      const orders = readAnsweredOrders(call, await placeUntilDefinite(placing, call, no))
      statuses.follow(call, orders)
      return orders
    }),
  )
  const ids = placed.flat().map(({ orderId }) => orderId)
  let sent: Sent[] = []
  await waitUntil('every order was sent and answered', async () => {
    sent = await installation.query<Sent>(
      `select order_id as "orderId", reference, outgoing_reference as "outgoingReference"
       from attempts join orders on orders.id = order_id where order_id = any($1::uuid[]) and outcome is not null`,
      [ids],
    )
    return sent.length === ids.length
  })
  return sent
}

const idsOf = (sent: readonly Sent[]) => sent.map(({ orderId }) => orderId)

async function untilEnded(sent: readonly Sent[]): Promise<void> {
  await waitUntil('every order has ended', async () => {
    const open = await installation.query('select from open_orders where order_id = any($1::uuid[])', [idsOf(sent)])
    return open.length === 0
  })
}

async function statusesOf(sent: readonly Sent[]): Promise<string[]> {
  const rows = await installation.query<{ status: string }>(
    'select status from orders join unnest($1::uuid[]) with ordinality as wanted (id, no) using (id) order by no',
    [idsOf(sent)],
  )
  return rows.map(({ status }) => status)
}

/** Number of recorded contradictions of each order, and of its alarms. */
async function contradictionsOf(sent: readonly Sent[]): Promise<{ recorded: number; alarms: number }[]> {
  return installation.query(
    `select (select count(distinct evidence)::int from contradictions where order_id = orders.id) as recorded,
       (select count(*)::int from alarms where name = 'contradiction' and subject = orders.reference) as alarms
     from orders join unnest($1::uuid[]) with ordinality as wanted (id, no) using (id) order by no`,
    [idsOf(sent)],
  )
}

type Claim = { readonly orderStatus: 'completed' | 'failed'; readonly signature?: 'valid' | 'forged' | 'missing' }

/** Makes the supplier call back about one order, several times at once. */
async function callBack({ outgoingReference: reference }: Sent, times: number, claim: Claim): Promise<void> {
  const webhook = { supplier: 'hubtel', reference, ...claim }
  await Promise.all(Array.from({ length: times }, () => tellSimulator('/control/webhooks', webhook)))
}

/**
 * Two people settle an order, and the second confirms while a command asks the supplier again. The later of these two is
 * refused.
 */
function settleByPeople({ orderId }: Sent, outcome: 'completed' | 'failed') {
  const say = (by: string) => ['order', 'settle', orderId, '--as', outcome, '--evidence', 'ticket', '--by', by]
  return {
    // Refused while a worker is asking the supplier about the order.
    propose: () => waitUntil('it is proposed', async () => (await installation.tryCommand(...say('ama'))).exitCode === 0),
    confirm: () => Promise.all([installation.tryCommand(...say('kofi')), installation.tryCommand('order', 'ask', orderId)]),
  }
}

test('60 callbacks, the workers’ own questions and two people race to end each order: one refund or one commission', async () => {
  const random = startRandomRun('settlement')
  onTestFailed(() => console.error(installation.readLogs()))
  // Refused for an empty float: the order stays open, no look-up is possible, and it may be delivered after all.
  const sent = await send('race', '906')
  const isDelivered = (no: number) => no % 2 === 0
  const outcomeOf = (no: number) => (isDelivered(no) ? 'completed' : 'failed')
  const people = sent.slice(0, 4).map((order, no) => settleByPeople(order, outcomeOf(no)))
  await Promise.all(people.map(({ propose }) => propose()))
  expect(await statusesOf(sent)).toEqual(sent.map(() => 'processing'))

  const confirming = people.map(({ confirm }) => confirm())
  await Promise.all(
    sent.map(async (order, no) => {
      // About as long as a person's command takes to reach the database, so that either may be first.
      await sleep(createRandom(random.seed + no).between(300, 1_500))
      if (isDelivered(no)) await tellSimulator('/control/hubtel/deliver', { reference: order.outgoingReference })
      await callBack(order, 60, { orderStatus: outcomeOf(no) })
    }),
  )
  await Promise.all(confirming)
  await untilEnded(sent)
  // No event shows that something will not come: a second ending would come within this time.
  await sleep(1_000)
  expect(await statusesOf(sent)).toEqual(sent.map((_, no) => (isDelivered(no) ? 'completed' : 'refunded')))
  expect(await contradictionsOf(sent)).toEqual(sent.map(() => ({ recorded: 0, alarms: 0 })))
  expect(await findEffectBreaches(installation)).toEqual([])
  expect(await findSettlementBreaches(installation)).toEqual([])
  expect((await installation.tryCommand('audit')).json).toMatchObject({ ok: true })
})

test('forged callbacks change nothing; late, repeated and contradictory ones neither refund nor reward again', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  // Waiting orders are not delivered before the end of the test; the supplier calls back when the test demands it.
  await tellSimulator('/control/behaviour', { hubtel: { lateDeliveryMilliseconds: 3_600_000, webhooks: { isEnabled: false } } })
  const [waiting, ended] = [await send('forged', '902'), await send('late', '000')]
  const lies = (['forged', 'missing'] as const).flatMap((signature) =>
    (['completed', 'failed'] as const).map((orderStatus) => ({ signature, orderStatus })),
  )
  await Promise.all(waiting.flatMap((order) => lies.map((lie) => callBack(order, 5, lie))))
  await untilEnded(ended)
  expect(await statusesOf(ended)).toEqual(ended.map(() => 'completed'))
  // Late callbacks after the orders have ended: ten times each, and then the opposite.
  await Promise.all(ended.map((order) => callBack(order, 10, { orderStatus: 'completed' })))
  await Promise.all(ended.map((order) => callBack(order, 2, { orderStatus: 'failed' })))
  await waitUntil('the contradictions have come', async () =>
    (await contradictionsOf(ended)).every(({ recorded }) => recorded > 0),
  )
  // No event shows that something will not come: a second record of the same contradiction would come within this time.
  await sleep(500)
  expect(await contradictionsOf(ended)).toEqual(ended.map(() => ({ recorded: 1, alarms: 1 })))
  expect(await statusesOf(ended)).toEqual(ended.map(() => 'completed'))

  expect(await statusesOf(waiting)).toEqual(waiting.map(() => 'processing'))
  const believed = await installation.query(
    `select answer, evidence from attempt_answers where source = 'callback' and order_id = any($1::uuid[])`,
    [idsOf(waiting)],
  )
  expect(believed).toEqual([])
  expect(await findEffectBreaches(installation)).toEqual([])
  expect(await findSettlementBreaches(installation)).toEqual([])
  expect((await installation.tryCommand('audit')).json).toMatchObject({ ok: true })
})

test('a supplier that says delivered and failed at nearly the same moment leaves one outcome, and what it denies is recorded', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  await tellSimulator('/control/behaviour', {
    hubtel: { lateDeliveryMilliseconds: 8_000, webhooks: { isEnabled: true } },
  })
  const random = startRandomRun('denials')
  const sent = await send('denied', '902')
  // For half of the orders the supplier reports `completed` first, for half `failed`. The other report follows within 0.1 s, so
  // that one batch of the worker may hold both.
  await Promise.all(
    sent.map(async (order, no) => {
      const [first, second] = no % 2 === 0 ? (['completed', 'failed'] as const) : (['failed', 'completed'] as const)
      const apartMilliseconds = createRandom(random.seed + no).between(0, 100)
      await callBack(order, 30, { orderStatus: first })
      await sleep(apartMilliseconds)
      await callBack(order, 30, { orderStatus: second })
    }),
  )
  await untilEnded(sent)
  const outcomes = await statusesOf(sent)
  expect(outcomes.filter((status) => status !== 'completed' && status !== 'refunded')).toEqual([])
  // The second callback may still be on its way.
  await waitUntil('every denial is recorded and somebody is called', async () =>
    (await contradictionsOf(sent)).every(({ recorded, alarms }) => recorded > 0 && alarms === 1),
  )
  expect(await statusesOf(sent)).toEqual(outcomes)
  // The deliveries are not compared here, because the supplier contradicted itself.
  expect(await findSettlementBreaches(installation)).toEqual([])
  expect((await installation.tryCommand('audit')).json).toMatchObject({ ok: true })
})
