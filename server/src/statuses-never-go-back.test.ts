import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicant } from '../test/applicant.ts'
import { makeAccount, makeKeyFor } from '../test/make-account.ts'
import { mustPassAudit } from '../test/must-pass-audit.ts'
import { patienceSeconds, patientCallSeconds } from '../test/patience.ts'
import { retryWhileOverloaded } from '../test/retry-while-busy.ts'
import { type RunningSimulator, startSimulator } from '../test/start-simulator.ts'
import { startTestApp, type TestApp } from '../test/start-test-app.ts'
import { rateLimitsSetting } from './all-settings.ts'
import { readConfig } from './config.ts'
import { creditWallet } from './money/credit-wallet.ts'
import { inTransaction } from './platform/database/in-transaction.ts'
import { findFreePort } from './platform/find-free-port.ts'
import { writeSetting } from './platform/settings/settings.ts'
import { cancelRegistration, claimRegistrations, completeRegistration } from './products/afa/work-registrations.ts'
import { keysOf, stockVouchers } from './products/results-checker/stock-vouchers.fixture.ts'
import { addPoolSender } from './products/sms/campaigns/decide-sender.ts'
import { startWorker, type Worker } from './worker.ts'

/** The statuses that may be seen after each status, besides that status itself (decision S14). */
const mayFollow: Readonly<Record<string, readonly string[]>> = {
  queued: ['pending', 'processing', 'completed', 'failed', 'refunded'],
  pending: ['processing', 'completed', 'failed', 'refunded', 'cancelled'],
  processing: ['completed', 'failed', 'refunded', 'cancelled'],
  failed: ['refunded'],
  completed: [],
  refunded: [],
  cancelled: [],
}

const campaignMayFollow: Readonly<Record<string, readonly string[]>> = {
  queued: ['processing', 'completed', 'failed'],
  processing: ['completed', 'failed'],
}

const messageMayFollow: Readonly<Record<string, readonly string[]>> = {
  queued: ['sent', 'delivered', 'undelivered', 'failed', 'expired', 'rejected'],
  sent: ['delivered', 'undelivered', 'expired', 'rejected'],
}

/** The pauses between two reads of all statuses from the database, and between two requests for an order. */
const pollMilliseconds = 20

const supplierEndings = ['000', '901', '902', '903', '904', '905', '906', '907', '908', '909']
const registrationEndings = ['911', '912', '913', '914', '915', '916', '917']
const billerEndings = ['931', '932']

let simulator: RunningSimulator
let app: TestApp
let worker: Worker
let keys: { data: string; commission: string; sms: string }
/** The address and the key with which each order of this test is read. */
const readers: { path: string; key: string }[] = []

beforeAll(async () => {
  const port = await findFreePort('127.0.0.1')
  simulator = await startSimulator({ timeScale: 0.2, callbackBaseUrl: `https://localhost:${port}` })
  const simulatorCallSeconds = patientCallSeconds
  app = await startTestApp({ simulatorUrl: simulator.url, simulatorCallSeconds, port, dataDir: simulator.dataDir })
  const { db } = app.database
  const unlimited = [
    'POST /data/purchase',
    'GET /orders/{reference}',
    'POST /airtime/purchase',
    'GET /airtime/orders/{reference}',
    'POST /utilities/pay',
    'GET /utilities/orders/{reference}',
    'GET /afa/orders/{reference}',
    'GET /resultschecker/orders/{reference}',
  ]
  await writeSetting(db, rateLimitsSetting, Object.fromEntries(unlimited.map((name) => [name, 1_000_000])), 'test')
  await app.untilSeen()
  const { accountId } = await makeAccount(db, { balancePesewas: 10_000_000 })
  await inTransaction(db, async (tx) => {
    await creditWallet(tx, { accountId, purse: 'sms_credits', amount: 10_000, actor: 'test' })
    await addPoolSender(tx, { sender: 'Makola', isDefault: true, actor: 'test' })
  })
  keys = {
    data: await makeKeyFor(db, accountId),
    commission: await makeKeyFor(db, accountId, 'commission'),
    sms: await makeKeyFor(db, accountId, 'sms'),
  }
  const config = readConfig({
    DATA_DIR: app.dataDir,
    PORT: String(port),
    PUBLIC_URL: `https://localhost:${port}`,
    SIMULATOR_URL: simulator.url,
    // Hubtel does not keep a refusal, so an order whose refusal is lost would stay open for ever.
    SIMULATOR_CALL_SECONDS: String(simulatorCallSeconds),
  })
  worker = await startWorker(config, db, pino({ level: 'silent' }))
})

afterAll(async () => {
  await watch.stop()
  await worker.stop()
  try {
    await mustPassAudit(app.database.db)
  } finally {
    await app.close()
    await simulator.stop()
  }
})

type Data = Record<string, unknown>

async function post(path: string, key: string, body: object): Promise<Data> {
  const answer = await retryWhileOverloaded(() => app.call('POST', path, { key, body }))
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.data as Data
}

async function buyData(recipient: string): Promise<void> {
  const reference = `never-back-data-${recipient}`
  await post('/data/purchase', keys.data, { network: 'MTN', volume_gb: 1, recipient, reference })
  readers.push({ path: `/orders/${reference}`, key: keys.data })
}

async function buyAirtime(ending: string): Promise<void> {
  const reference = `never-back-airtime-${ending}`
  await post('/airtime/purchase', keys.commission, {
    network: 'MTN',
    beneficiary_phone: `0241111${ending}`,
    amount: 5,
    reference,
  })
  readers.push({ path: `/airtime/orders/${reference}`, key: keys.commission })
}

async function payBill(bill: object): Promise<void> {
  const { reference } = await post('/utilities/pay', keys.commission, { ...bill, amount: 5 })
  readers.push({ path: `/utilities/orders/${String(reference)}`, key: keys.commission })
}

async function registerAfa(reference: string): Promise<void> {
  await post('/afa/register', keys.data, {
    reference,
    ...applicant,
  })
  readers.push({ path: `/afa/orders/${reference}`, key: keys.data })
}

async function steerRegistries(method: 'POST' | 'DELETE', change?: object): Promise<void> {
  const response = await fetch(`${simulator.url}/control/registration`, {
    method,
    ...(change ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(change) } : {}),
  })
  expect(response.ok).toBe(true)
}

/**
 * Buys one order for each scripted ending of the simulator, also for the endings that only MTN numbers reach while both
 * registries are away.
 */
async function buyEverything(): Promise<void> {
  await Promise.all(registrationEndings.map((ending) => buyData(`0242222${ending}`)))
  await steerRegistries('POST', { outages: { 1: 'error', 2: 'error' } })
  await Promise.all(['911', '912', '917', '000'].map((ending) => buyData(`0243333${ending}`)))
  await Promise.all(supplierEndings.map((ending) => buyData(`0241111${ending}`)))
  await Promise.all(supplierEndings.map(buyAirtime))
  await Promise.all(
    [...supplierEndings, ...billerEndings].flatMap((ending) => [
      payBill({ biller: 'dstv', account: `7021111${ending}` }),
      payBill({ biller: 'ghana_water', account: `7022222${ending}`, phone: '0241234567' }),
      payBill({ biller: 'ecg', account: `G1411${ending}`, phone: `0241111${ending}` }),
    ]),
  )
  const { typeId } = await stockVouchers(app.database.db, await keysOf(app), 2)
  await post('/resultschecker/purchase', keys.data, { typeId, quantity: 1, reference: 'never-back-voucher' })
  readers.push({ path: '/resultschecker/orders/never-back-voucher', key: keys.data })
  await registerAfa('never-back-afa-1')
  await registerAfa('never-back-afa-2')
  const recipients = ['000', '921', '922', '923', '924'].map((ending) => `0241111${ending}`)
  await post('/sms/send', keys.sms, { message: 'Your order is ready.', recipients })
  const many = Array.from({ length: 510 }, (_, n) => `0${240_000_000 + n * 1_000 + 1 + (n % 5) + 920}`)
  await post('/sms/send', keys.sms, { message: 'Your order is ready.', recipients: many })
}

/** Every order, campaign and message with its stored status, which the answers show. */
const readStatuses = () =>
  sql<{ what: 'order' | 'campaign' | 'message'; id: string; status: string }>`
    select 'order' as what, id::text, status from orders where kind <> 'sms'
    union all select 'campaign', id::text, status from sms_campaigns
    union all select 'message', campaign_id::text || '/' || n, status from sms_messages`.execute(app.database.db)

type Watch = { readonly breaches: string[]; reads: number; stop(): Promise<void> }

let watch: Watch

/** Reads what every poller could see, every 20 ms, until it is stopped. */
function watchStatuses(): Watch {
  const tables = { order: mayFollow, campaign: campaignMayFollow, message: messageMayFollow }
  const seen = new Map<string, string>()
  const stopping = new AbortController()
  const watching: Watch = {
    breaches: [],
    reads: 0,
    stop: async () => {
      stopping.abort()
      await Promise.all(polling)
    },
  }

  function note(what: keyof typeof tables, id: string, status: string): void {
    const before = seen.get(id) ?? status
    if (before !== status && !tables[what][before]?.includes(status)) watching.breaches.push(`${id}: ${status} after ${before}`)
    seen.set(id, status)
    watching.reads += 1
  }

  async function pollRows(): Promise<void> {
    while (!stopping.signal.aborted) {
      for (const { what, id, status } of (await readStatuses()).rows) note(what, id, status)
      await sleep(pollMilliseconds)
    }
  }

  async function pollAnswers(): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const reader = readers[turn % readers.length]
      if (reader) {
        const { body } = await app.call('GET', reader.path, { key: reader.key })
        note('order', reader.path, String(body.data.status))
      }
      await sleep(pollMilliseconds)
    }
  }

  const polling = [pollRows(), pollAnswers()]
  return watching
}

/** Orders that stay open in this test: they are held, or no answer proves anything about them. */
const mayStayOpen = (recipient: string) => /(904|906|917|932)$/.test(recipient)

async function listOpen(): Promise<string[]> {
  const { rows } = await sql<{ kind: string; recipient: string; status: string }>`
    select kind, recipient, status from orders where status not in ('completed', 'refunded', 'cancelled')`.execute(
    app.database.db,
  )
  return rows.filter(({ recipient }) => !mayStayOpen(recipient)).map((order) => JSON.stringify(order))
}

const holdOf = async (recipient: string) =>
  app.database.db
    .selectFrom('open_orders')
    .innerJoin('orders', 'orders.id', 'open_orders.order_id')
    .select(['orders.status', 'open_orders.hold_reason'])
    .where('orders.recipient', '=', recipient)
    .executeTakeFirst()

test('a poller that reads every 20 ms sees no status of any product go back, whatever a supplier does (S14)', async () => {
  watch = watchStatuses()
  const patience = { timeout: patienceSeconds * 1_000, interval: 100 }
  await buyEverything()
  // A supplier that wants the number registered first holds the order beside its status.
  await expect.poll(async () => (await holdOf('0243333917'))?.hold_reason, patience).toBe('not_registered')
  expect(await holdOf('0243333917')).toEqual({ status: 'processing', hold_reason: 'not_registered' })
  await claimRegistrations(app.database.db, ['never-back-afa-1', 'never-back-afa-2'], 'kofi')
  await completeRegistration(app.database.db, { reference: 'never-back-afa-1', reason: null, by: 'kofi' })
  await cancelRegistration(app.database.db, { reference: 'never-back-afa-2', reason: 'withdrawn', by: 'kofi' })
  await steerRegistries('DELETE')
  await expect.poll(listOpen, patience).toEqual([])
  await watch.stop()
  expect(watch.breaches).toEqual([])
  expect(watch.reads).toBeGreaterThan(10_000)

  const moves = await app.database.db.selectFrom('order_events').select(['from_status', 'to_status']).distinct().execute()
  const back = moves.filter(({ from_status: from, to_status: to }) => !mayFollow[from]?.includes(to))
  expect(back).toEqual([])
  expect(await holdOf('0242222917')).toEqual({ status: 'queued', hold_reason: 'not_registered' })
})
