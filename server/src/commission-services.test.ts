import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Agent, request as send } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount, makeKeyFor } from '../test/make-account.ts'
import { patienceSeconds, patientCallSeconds } from '../test/patience.ts'
import { type RunningSimulator, startSimulator } from '../test/start-simulator.ts'
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts'
import { allAuditChecks } from './all-audit-checks.ts'
import { rateLimitsSetting } from './all-settings.ts'
import { type RunningApi, startApi } from './api.ts'
import { readConfig } from './config.ts'
import { demoCommissionRates, demoCommissionShares } from './demo/fill-demo.ts'
import { runAudit } from './money/audit.ts'
import { faceValueExpectation } from './money/expected-cost.ts'
import { readWallet } from './money/wallets.ts'
import { writeCommissionPlan } from './money/write-commission-plan.ts'
import { refundReasons } from './orders/settlement/explain-refund.ts'
import { inTransaction } from './platform/database/in-transaction.ts'
import { findFreePort } from './platform/find-free-port.ts'
import { writeSetting } from './platform/settings/settings.ts'
import { reconcileStatement } from './reconciliation/reconcile-statement.ts'
import { seedSimulatedSuppliers } from './suppliers/registry/seed-simulated-suppliers.ts'
import { startWorker, type Worker } from './worker.ts'

/** The API, the worker and the simulator together, over real sockets, with callbacks. */
let database: TestDatabase
let simulator: RunningSimulator
let api: RunningApi
let worker: Worker
let agent: Agent
let url: string
let account: { accountId: string; key: string }
/** An order whose request Hubtel never received, and which its status look-up does not know. */
let neverReceived: string

beforeAll(async () => {
  database = await createTestDatabase()
  const port = await findFreePort('127.0.0.1')
  url = `https://localhost:${port}`
  simulator = await startSimulator({ callbackBaseUrl: url })
  await simulator.control({ hubtel: { lateDeliveryMilliseconds: 12_000 } })
  await inTransaction(database.db, async (tx) => {
    await seedSimulatedSuppliers(tx)
    await writeCommissionPlan(tx, { rates: demoCommissionRates, shares: demoCommissionShares })
  })
  const endpoints = [
    'POST /airtime/purchase',
    'GET /airtime/orders/{reference}',
    'POST /utilities/pay',
    'GET /utilities/lookup',
    'GET /utilities/orders/{reference}',
  ]
  await writeSetting(database.db, rateLimitsSetting, Object.fromEntries(endpoints.map((name) => [name, 1_000_000])), 'test')
  account = await makeReseller()
  const config = readConfig({
    DATA_DIR: simulator.dataDir,
    PORT: String(port),
    PUBLIC_URL: url,
    SIMULATOR_URL: simulator.url,
    // Calls may take long: Hubtel keeps no refusals, so an order whose refusal is lost in a time-out would stay open for ever.
    SIMULATOR_CALL_SECONDS: String(patientCallSeconds),
    RATE_LIMIT_STORE: 'memory',
  })
  const log = pino({ level: 'silent' })
  api = await startApi({ config, database: { url: database.applicationUrl }, log })
  worker = await startWorker(config, database.db, log)
  agent = new Agent({ connect: { ca: await readFile(join(simulator.dataDir, 'tls', 'ca.pem')) } })
  const body = { network: 'MTN', beneficiary_phone: '0241111904', amount: 20, reference: 'airtime-904' }
  neverReceived = String((await call('POST', '/airtime/purchase', body)).body.data['order_id'])
})

afterAll(async () => {
  await worker.stop()
  const { checks } = await runAudit(database.db, allAuditChecks, { isFull: true })
  await api.close()
  await agent.close()
  await simulator.stop()
  await database.drop()
  const bad = Object.entries(checks).filter(([, count]) => count !== 0)
  if (bad.length > 0) throw new Error(`the audit found ${JSON.stringify(bad)}`)
})

async function makeReseller(options: Parameters<typeof makeAccount>[1] = {}) {
  const { accountId } = await makeAccount(database.db, { balancePesewas: 10_000_000, ...options })
  return { accountId, key: await makeKeyFor(database.db, accountId, 'commission') }
}

type Body = { data: Record<string, unknown> }

async function call(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  key = account.key,
): Promise<{ status: number; body: Body }> {
  const response = await send(`${url}/api/v2${path}`, {
    method,
    dispatcher: agent,
    headers: { authorization: key, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.statusCode, body: (await response.body.json()) as Body }
}

/** Polls an order until it has ended, and fails when its status goes back. */
async function untilEnded(path: string, key = account.key): Promise<Body['data']> {
  const ranks = ['pending', 'processing', 'failed', 'completed', 'refunded']
  const deadline = Date.now() + patienceSeconds * 1_000
  let rank = 0
  for (;;) {
    const { data } = (await call('GET', path, undefined, key)).body
    const seen = ranks.indexOf(String(data['status']))
    expect(seen).toBeGreaterThanOrEqual(rank)
    rank = seen
    if (data['status'] === 'completed' || data['status'] === 'refunded') return data
    if (Date.now() > deadline) throw new Error(`${path} is still ${String(data['status'])}`)
    await sleep(100)
  }
}

const effectsOf = async (orderId: unknown): Promise<number> => {
  const attempts = await database.db
    .selectFrom('attempts')
    .select('outgoing_reference')
    .where('order_id', '=', String(orderId))
    .execute()
  const counts = await Promise.all(
    attempts.map(async ({ outgoing_reference: reference }) => {
      const response = await fetch(`${simulator.url}/effects?reference=${reference}`)
      return ((await response.json()) as { effects: unknown[] }).effects.length
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The final status of an order whose number ends in these digits, by the simulator's script. */
const endings: readonly { ending: string; status: 'completed' | 'refunded' }[] = [
  { ending: '000', status: 'completed' },
  { ending: '901', status: 'refunded' },
  { ending: '902', status: 'completed' },
  { ending: '903', status: 'completed' },
  { ending: '905', status: 'refunded' },
  { ending: '907', status: 'refunded' },
  { ending: '908', status: 'completed' },
  { ending: '909', status: 'completed' },
]

const everyReason: readonly unknown[] = Object.values(refundReasons)

/** True when a refunded order shows its owner a reason of the fixed list, and when any other order shows none. */
const tellsItsReason = (order: Body['data']) =>
  order['status'] === 'refunded' ? everyReason.includes(order['reason']) : !Object.hasOwn(order, 'reason')
let smartcards = 0

describe.concurrent('airtime over Hubtel’s format', () => {
  it.for(endings)('with ending $ending is $status, and takes effect accordingly', async ({ ending, status }) => {
    const reference = `airtime-${ending}`
    const body = { network: 'MTN', beneficiary_phone: `0241111${ending}`, amount: 20, reference }
    const placed = await call('POST', '/airtime/purchase', body)
    expect(placed.status).toBe(200)
    const order = await untilEnded(`/airtime/orders/${reference}`)
    expect(order['status']).toBe(status)
    expect(await effectsOf(placed.body.data['order_id'])).toBe(status === 'completed' ? 1 : 0)
    expect(tellsItsReason(order)).toBe(true)
  })

  it.for([
    ['Telecel', '0201234567'],
    ['AT', '0271234567'],
  ] as const)('is delivered on %s', async ([network, number]) => {
    const reference = `airtime-on-${network}`
    await call('POST', '/airtime/purchase', { network, beneficiary_phone: number, amount: 1, reference })
    expect((await untilEnded(`/airtime/orders/${reference}`))['status']).toBe('completed')
  })
})

describe.concurrent('bills over Hubtel’s format', () => {
  async function payAtBothBounds(bill: { biller: string; account: string; phone?: string }, name: unknown): Promise<void> {
    const { biller, account: number } = bill
    for (const amount of [1, 1_000]) {
      const paid = await call('POST', '/utilities/pay', { ...bill, amount })
      expect(paid.status).toBe(200)
      const order = await untilEnded(`/utilities/orders/${String(paid.body.data['reference'])}`)
      expect(order).toMatchObject({ status: 'completed', payment_status: 'paid', biller, account_number: number, amount })
      expect(order['account_name']).toBe(name)
      expect(order['commission_earned']).toBeGreaterThanOrEqual(amount === 1 ? 0 : 1)
      expect(await effectsOf(paid.body.data['order_id'])).toBe(1)
    }
  }

  it('are looked up at ECG by phone and paid by meter, at both ends of the bounds, and earn commission', async () => {
    const phone = '0241234567'
    const { data } = (await call('GET', `/utilities/lookup?biller=ecg&account=${phone}&phone=${phone}`)).body
    expect(data).toMatchObject({ account_name: null, account_number: null, amount_due: null, bouquet: null })
    const [meter] = data['meters'] as { name: string; meterNumber: string; outstanding: number }[]
    expect(meter).toEqual({ name: expect.any(String), meterNumber: expect.any(String), outstanding: expect.any(Number) })
    await payAtBothBounds({ biller: 'ecg', account: String(meter?.meterNumber), phone }, meter?.name)
  })

  it.for([{ biller: 'ghana_water', phone: '0241234567' }, { biller: 'dstv' }, { biller: 'gotv' }, { biller: 'startimes' }])(
    'are looked up and paid at $biller by account, at both ends of the bounds, and earn commission',
    async (bill) => {
      const account = '7020001234'
      const { status, body } = await call('GET', `/utilities/lookup?${new URLSearchParams({ ...bill, account }).toString()}`)
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ account_name: expect.stringMatching(/\w/), amount_due: expect.any(Number), meters: [] })
      await payAtBothBounds({ ...bill, account }, body.data['account_name'])
    },
  )

  it.for([
    { biller: 'ecg', account: 'G141234569', phone: '0241234569' },
    { biller: 'ghana_water', account: '7020001239', phone: '0241234569' },
    { biller: 'dstv', account: '7020001239' },
  ])('to $biller that were not looked up before show whom the biller named with the payment', async (bill) => {
    const paid = (await call('POST', '/utilities/pay', { ...bill, amount: 7 })).body.data
    const frozen = database.db.selectFrom('orders').select('details').where('id', '=', String(paid['order_id']))
    expect(await frozen.executeTakeFirstOrThrow()).toMatchObject({ details: { accountName: '' } })
    const path = `/utilities/orders/${String(paid['reference'])}`
    expect((await untilEnded(path))['status']).toBe('completed')
    // Another reseller makes the look-up, so that this reseller's orders do not have the holder's name.
    const lookup = new URLSearchParams({ ...bill, account: bill.phone && bill.biller === 'ecg' ? bill.phone : bill.account })
    const { data } = (await call('GET', `/utilities/lookup?${lookup.toString()}`, undefined, (await makeReseller()).key)).body
    const [meter] = data['meters'] as { name: string }[]
    const name = meter?.name ?? data['account_name']
    expect(name).toMatch(/\w/)
    // The callback may come after the worker has asked.
    await expect
      .poll(async () => (await call('GET', path)).body.data['account_name'], { timeout: patienceSeconds * 1_000 })
      .toBe(name)
  })

  it.for(endings)('with ending $ending are $status, and take effect accordingly', async ({ ending, status }) => {
    smartcards += 1
    const paid = await call('POST', '/utilities/pay', {
      biller: 'dstv',
      account: `702${1_000 + smartcards}${ending}`,
      amount: 20,
    })
    expect(paid.body.data['commission_share_percent']).toBe(50)
    const order = await untilEnded(`/utilities/orders/${String(paid.body.data['reference'])}`)
    expect(order['status']).toBe(status)
    expect(order['payment_status']).toBe(status === 'completed' ? 'paid' : 'refunded')
    // The reseller gets half of the commission, which is 1.5 % of GHS 20.
    expect(order['commission_earned']).toBe(status === 'completed' ? 0.15 : null)
    expect(await effectsOf(paid.body.data['order_id'])).toBe(status === 'completed' ? 1 : 0)
    expect(tellsItsReason(order)).toBe(true)
  })

  it('answer 404 to an account that does not exist (931), and 502 while the billing provider is unreachable (932)', async () => {
    expect((await call('GET', '/utilities/lookup?biller=dstv&account=7020001931')).status).toBe(404)
    expect((await call('GET', '/utilities/lookup?biller=dstv&account=7020001932')).status).toBe(502)
    expect((await call('GET', '/utilities/lookup?biller=ecg&account=0240001931&phone=0240001931')).status).toBe(404)
    expect((await call('GET', '/utilities/lookup?biller=ecg&account=0240001932&phone=0240001932')).status).toBe(502)
  })
})

describe.concurrent('the Commission Wallet of who buys airtime and pays a bill', () => {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000)

  it.for([
    { who: 'a lifetime agent', role: 'agent', until: null, airtime: 5_000, bills: 5_000 },
    { who: 'a lifetime dealer', role: 'dealer', until: null, airtime: 6_000, bills: 6_000 },
    { who: 'an agent for a time', role: 'agent', until: hours(1), airtime: 0, bills: 5_000 },
    { who: 'a dealer whose time is over', role: 'dealer', until: hours(-1), airtime: 0, bills: 2_500 },
    { who: 'a customer', role: 'customer', until: null, airtime: 0, bills: 2_500 },
  ] as const)('is credited the share of $who when the orders are completed', async (reseller, { expect }) => {
    const { accountId, key } = await makeReseller({ role: reseller.role })
    await database.db.updateTable('accounts').set({ role_expires_at: reseller.until }).where('id', '=', accountId).execute()
    const earned = async () => (await readWallet(database.db, { accountId, purse: 'commission' })).balance
    const reference = `earns-${reseller.who.replaceAll(' ', '-')}`
    const body = { network: 'MTN', beneficiary_phone: '0241234567', amount: 99.99, reference }
    expect((await call('POST', '/airtime/purchase', body, key)).status).toBe(200)
    const bill = { biller: 'dstv', account: '7020001234', amount: 99.99 }
    const paid = (await call('POST', '/utilities/pay', bill, key)).body.data
    expect([paid['commission_share_percent'], await earned()]).toEqual([reseller.bills / 100, 0])
    await untilEnded(`/airtime/orders/${reference}`, key)
    const seen = await untilEnded(`/utilities/orders/${String(paid['reference'])}`, key)
    const rows = await database.db
      .selectFrom('order_commissions')
      .select(['base', 'caller', 'order_id'])
      .where('account_id', '=', accountId)
      .execute()
    const ofBill = rows.find((row) => row.order_id === paid['order_id'])
    const ofAirtime = rows.find((row) => row.order_id !== paid['order_id'])
    const part = (base: number | undefined, share: number) => Math.floor(((base ?? Number.NaN) * share) / 10_000)
    expect([ofAirtime?.caller, ofBill?.caller]).toEqual([
      part(ofAirtime?.base, reseller.airtime),
      part(ofBill?.base, reseller.bills),
    ])
    expect(Math.min(ofAirtime?.base ?? 0, ofBill?.caller ?? 0)).toBeGreaterThan(0)
    expect(seen['commission_earned']).toBe((ofBill?.caller ?? 0) / 100)
    expect(await earned()).toBe((ofAirtime?.caller ?? 0) + (ofBill?.caller ?? 0))
  })
})

async function reconcile() {
  const response = await fetch(`${simulator.url}/hubtel/statement`)
  const expectations = [faceValueExpectation('airtime'), faceValueExpectation('utilities')]
  // The period covers all that was sent, and not only the time between the statement's first and last line.
  const period = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) }
  const file = Readable.from([await response.text()])
  return reconcileStatement(database.db, {
    supplier: 'hubtel',
    file,
    fileName: 'hubtel.csv',
    actor: 'test',
    expectations,
    ...period,
  })
}

describe('after everything', () => {
  it('what Hubtel could not be asked about is never settled by a guess: neither refunded nor sent again', async () => {
    const attempts = await database.db.selectFrom('attempts').selectAll().where('order_id', '=', neverReceived).execute()
    expect(attempts).toHaveLength(1)
    expect((await call('GET', '/airtime/orders/airtime-904')).body.data['status']).toBe('processing')
    expect(await effectsOf(neverReceived)).toBe(0)
  })

  it('Hubtel’s statement agrees with our orders to the pesewa, but for the differences that are planted in it', async () => {
    const honest = await reconcile()
    expect(honest).toMatchObject({ oursOnly: [], theirsOnly: [], amountDiffers: [], problems: [] })
    expect(honest.matched).toBeGreaterThan(20)
    const delivered = await database.db
      .selectFrom('attempts')
      .select('outgoing_reference')
      .where('outcome', '=', 'delivered')
      .execute()
    const [omitted = '', changed = ''] = delivered.map((attempt) => attempt.outgoing_reference)
    await fetch(`${simulator.url}/control/hubtel/statement`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        omit: [omitted],
        change: { [changed]: 9.99 },
        invent: [{ reference: 'nobody', amount: 5, commission: 0.1 }],
      }),
    })
    const planted = await reconcile()
    expect(planted.matched).toBe(honest.matched - 2)
    expect(planted.oursOnly.map((ours) => ours.outgoingReference)).toEqual([omitted])
    expect(planted.theirsOnly).toMatchObject([{ why: 'unknown_reference', line: { reference: 'nobody', amountPesewas: 500 } }])
    expect(planted.amountDiffers).toMatchObject([{ line: { reference: changed, amountPesewas: 999 } }])
  })

  it('the Commission Wallet holds exactly what its completed orders earned', async () => {
    const { balance } = await readWallet(database.db, { accountId: account.accountId, purse: 'commission' })
    const rows = await database.db
      .selectFrom('order_commissions')
      .select(['caller', 'source'])
      .where('account_id', '=', account.accountId)
      .execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(balance).toBe(rows.reduce((sum, row) => sum + row.caller, 0))
    expect(new Set(rows.map((row) => row.source))).toContain('reported')
  })
})
