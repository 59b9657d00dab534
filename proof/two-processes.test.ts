import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findJournalBreaches } from './src/breaches/find-journal-breaches.ts'
import { type LedgerWatch, watchLedger } from './src/breaches/watch-ledger.ts'
import type { Answer, Client, Outcome, Question } from './src/client.ts'
import type { ApiProcess } from './src/describe-processes.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { type Call, type Journal, openJournal } from './src/journal.ts'
import { airtimeCall, billCall, bulkCall, makeAirtimeBody, makeBillBody, makeDataBody, singleCall } from './src/make-calls.ts'
import { liftRateLimits, openCommissionShop, openShop, type Shop } from './src/open-shop.ts'
import { placeUntilDefinite } from './src/place-surely.ts'
import { startRandomRun } from './src/random.ts'
import { waitUntil } from './src/wait-until.ts'

let installation: Installation
let client: Client
let watch: LedgerWatch

beforeAll(async () => {
  installation = await startInstallation({ workers: 1 })
  client = await installation.openClient({ connections: 32 })
})
afterAll(() => installation?.destroy())
beforeEach(() => {
  watch = watchLedger(installation)
})
afterEach(async () => {
  await watch.stop()
})

const statusOf = (outcome: Outcome) => (outcome.kind === 'answer' ? outcome.status : outcome.code)
const isDefinite = (outcome: Outcome) => outcome.class === 'accepted' || outcome.class === 'business'

/** Asks until the outcome is definite: a machine that stands still for seconds makes the service answer 503. */
async function askUntilDefinite(question: Question): Promise<Outcome> {
  let outcome: Outcome | undefined
  await waitUntil('the outcome is definite', async () => {
    outcome = await client.ask(question)
    return isDefinite(outcome)
  })
  return outcome as Outcome
}

function placeAll(journal: Journal, calls: readonly Call[]): Promise<Outcome[]> {
  const placing = { client, journal, apis: installation.apis.slice(0, 2) }
  return Promise.all(calls.map((call, no) => placeUntilDefinite(placing, call, no)))
}

test('a wallet funded for exactly 120 orders buys exactly 120, singles and batches mixed, over 64 connections to two processes', async () => {
  const random = startRandomRun('exact funds')
  const affordable = 120
  // An agent pays GHS 3.70 for 1 GB on MTN (demo catalogue).
  const shop = await openShop(installation, { name: 'exact', fundsGhs: ((affordable * 370) / 100).toFixed(2) })
  const journal = openJournal(join(installation.dataDir, 'exact.jsonl'))
  const order = () => makeDataBody(`exact-${randomUUID()}`)
  // More single orders than the wallet can pay for, so they use up whatever the bulk orders leave.
  const singles = Array.from({ length: affordable + 60 }, () => singleCall(shop, order()))
  const batches = Array.from({ length: 40 }, () => bulkCall(shop, Array.from({ length: random.between(2, 12) }, order)))
  const calls = [...singles, ...batches]
    .map((call) => ({ call, place: random.next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ call }) => call)
  const outcomes = await placeAll(journal, calls)

  const accepted = journal.records().filter(({ end }) => end === 'accepted')
  expect(accepted.flatMap(({ orders }) => orders)).toHaveLength(affordable)
  const refused = outcomes.filter(({ class: outcome }) => outcome !== 'accepted')
  const reasons = refused.map((outcome) => (outcome.kind === 'answer' ? outcome.headers['x-error-reason'] : outcome.code))
  expect(new Set(reasons)).toEqual(new Set(['insufficient_funds']))
  for (const api of installation.apis) {
    expect(await client.ask({ url: `${api.url}/api/v2/wallet/balance`, key: shop.key })).toMatchObject({
      status: 200,
      body: { data: { balance: 0 } },
    })
  }
  expect(await findJournalBreaches(installation, journal)).toEqual([])
})

test('a wallet funded for exactly 60 purchases sells exactly 60, bundles, airtime and bills mixed, over two processes', async () => {
  const affordable = 60
  const fundsGhs = ((affordable * 370) / 100).toFixed(2)
  const [shop] = await Promise.all([openCommissionShop(installation, { name: 'mixed', fundsGhs }), liftRateLimits(installation)])
  // A setting must reach every process within a second.
  await sleep(1_000)
  const journal = openJournal(join(installation.dataDir, 'mixed.jsonl'))
  const amount = 3.7
  const calls = Array.from({ length: 40 }, () => {
    const reference = `mixed-${randomUUID()}`
    return [
      singleCall(shop, makeDataBody(reference)),
      airtimeCall(shop, { ...makeAirtimeBody(`${reference}-airtime`), amount }),
      billCall(shop, { ...makeBillBody(`${reference}-bill`), amount }),
    ]
  }).flat()
  const outcomes = await placeAll(journal, calls)
  expect(outcomes.filter((outcome) => statusOf(outcome) === 200)).toHaveLength(affordable)
  const refused = outcomes.filter((outcome) => statusOf(outcome) !== 200)
  const reasons = refused.map((outcome) => (outcome.kind === 'answer' ? outcome.headers['x-error-reason'] : outcome.code))
  expect(new Set(reasons)).toEqual(new Set(['insufficient_funds']))
  const paid = await installation.query<{ kind: string; orders: number }>(
    `select kind, count(*)::integer as orders from orders where account_id = $1 group by kind`,
    [shop.accountId],
  )
  expect(paid.reduce((sum, { orders }) => sum + orders, 0)).toBe(affordable)
  expect(await findJournalBreaches(installation, journal)).toEqual([])
})

type VoucherType = { type_id: string; price: number; available_count: number }

test('5 buyers who race for the last vouchers on two processes get each voucher once, and nobody pays without one', async () => {
  const names = Array.from({ length: 5 }, (_, no) => `vouchers-${no}`)
  const shops = await Promise.all(names.map((name) => openShop(installation, { name, fundsGhs: '500.00' })))
  const dataOf = (outcome: Outcome) => (outcome.kind === 'answer' ? outcome.body?.data : undefined)
  const ask = async (shop: Shop, api: ApiProcess, path: string) =>
    dataOf(await askUntilDefinite({ url: `${api.url}/api/v2${path}`, key: shop.key }))
  const [api] = installation.apis as [ApiProcess]
  const list = await ask(shops[0] as Shop, api, '/resultschecker/types')
  const [type] = (list?.['types'] ?? []) as VoucherType[]
  if (!type) throw new Error('the demo has no vouchers')
  // Each shop sends fewer calls than its limit for a minute allows, and together they ask for more vouchers than there are.
  const calls = Array.from({ length: 8 }, (_, no) => shops.map((shop) => ({ shop, quantity: 1 + (no % 2) }))).flat()
  expect(calls.reduce((sum, { quantity }) => sum + quantity, 0)).toBeGreaterThan(type.available_count)

  const outcomes = await Promise.all(
    calls.map(({ shop, quantity }, no) =>
      askUntilDefinite({
        url: `${installation.apis[no % 2]?.url}/api/v2/resultschecker/purchase`,
        method: 'POST',
        key: shop.key,
        body: { typeId: type.type_id, quantity, reference: `vouchers-${randomUUID()}` },
      }),
    ),
  )
  const boughtBy = (shop: Shop) =>
    outcomes
      .filter((_, no) => calls[no]?.shop === shop)
      .flatMap((outcome) => (dataOf(outcome)?.['vouchers'] ?? []) as { pin: string }[])
  const refused = outcomes.filter((outcome) => statusOf(outcome) !== 200)
  const reasons = refused.map((outcome) => (outcome.kind === 'answer' ? outcome.headers['x-error-reason'] : outcome.code))
  expect(new Set(reasons)).toEqual(new Set(['voucher_stock_short']))
  const sold = shops.flatMap(boughtBy)
  expect(sold).toHaveLength(type.available_count)
  expect(new Set(sold.map(({ pin }) => pin)).size).toBe(type.available_count)
  for (const shop of shops) {
    const balance = (await ask(shop, api, '/wallet/balance'))?.['balance'] as number
    expect(balance).toBe(500 - boughtBy(shop).length * type.price)
  }
  expect(await installation.command('audit')).toMatchObject({ ok: true })
})

type Seen = { readonly api: string; readonly askedAt: number; readonly status: number }

/** Asks both processes the same question again and again, and notes the time and the status of each answer. */
async function keepAsking(url: string, key: string, until: AbortSignal, seen: Seen[]): Promise<void> {
  async function askOne(api: ApiProcess): Promise<void> {
    while (!until.aborted) {
      const askedAt = performance.now()
      const outcome = await client.ask({ url: `${api.url}${url}`, key })
      // Only a definite outcome is an answer: a busy machine may make the service answer 503.
      if (isDefinite(outcome)) seen.push({ api: api.name, askedAt, status: Number(statusOf(outcome)) })
      await sleep(10)
    }
  }
  await Promise.all(installation.apis.slice(0, 2).map(askOne))
}

/** Changes something while both processes are asked. Returns the answers from more than a second after the change. */
async function lateAnswers(shop: Shop, change: () => Promise<unknown>): Promise<{ before: number[]; late: number[] }> {
  const stop = new AbortController()
  const seen: Seen[] = []
  const asking = keepAsking('/api/v2/wallet/balance', shop.key, stop.signal, seen)
  await waitUntil('both processes have answered some times', () =>
    installation.apis.slice(0, 2).every(({ name }) => seen.filter(({ api }) => api === name).length >= 10),
  )
  const beganAt = performance.now()
  await change()
  const endedAt = performance.now()
  // A second after the change, no process may answer as before.
  const lateAnswersOf = () => seen.filter(({ askedAt }) => askedAt > endedAt + 1_000)
  await waitUntil('both processes have answered some times later', () =>
    installation.apis.slice(0, 2).every(({ name }) => lateAnswersOf().filter(({ api }) => api === name).length >= 10),
  )
  stop.abort()
  await asking
  const late = lateAnswersOf()
  return {
    before: [...new Set(seen.filter(({ askedAt }) => askedAt < beganAt - 50).map(({ status }) => status))],
    late: [...new Set(late.map(({ status }) => status))],
  }
}

test('a revoked key is refused by both processes within a second', async () => {
  const shop = await openShop(installation, { name: 'revoked' })
  expect(await lateAnswers(shop, () => installation.command('key', 'revoke', shop.keyId))).toEqual({ before: [200], late: [403] })
})

test('a suspended account is refused by both processes within a second, and served again when it is reactivated', async () => {
  const shop = await openShop(installation, { name: 'suspended' })
  const suspend = () => installation.command('account', 'suspend', '--account', shop.accountId)
  expect(await lateAnswers(shop, suspend)).toEqual({ before: [200], late: [403] })
  const reactivate = () => installation.command('account', 'reactivate', '--account', shop.accountId)
  expect(await lateAnswers(shop, reactivate)).toEqual({ before: [403], late: [200] })
})

test('a product that is switched off is refused by both processes within a second, and nothing is charged', async () => {
  const shop = await openShop(installation, { name: 'switched', fundsGhs: '100.00' })
  const buy = (api: ApiProcess) =>
    client.ask({
      url: `${api.url}/api/v2/data/purchase`,
      method: 'POST',
      key: shop.key,
      body: makeDataBody(`switched-${randomUUID()}`),
    })
  const statuses = async () => (await Promise.all(installation.apis.slice(0, 2).map(buy))).map(statusOf)
  expect(await statuses()).toEqual([200, 200])
  try {
    await installation.command('setting', 'set', 'data_enabled', 'false')
    // A setting must reach every process within a second.
    await sleep(1_000)
    expect(await statuses()).toEqual([503, 503])
  } finally {
    await installation.command('setting', 'set', 'data_enabled', 'true')
  }
  await sleep(1_000)
  expect(await statuses()).toEqual([200, 200])
  const orders = await installation.query('select from orders where account_id = $1', [shop.accountId])
  expect(orders).toHaveLength(4)
})

type Role = { is_active: boolean; days_remaining: number; expires_at: string }

/** In milliseconds since 1970. */
async function readDatabaseClock(): Promise<number> {
  const [row] = await installation.query<{ now: Date }>('select clock_timestamp() as now')
  return row?.now.getTime() ?? 0
}

/** Makes a shop an agent for this long, by the database's clock. */
async function makeAgentFor(shop: Shop, milliseconds: number): Promise<Date> {
  const expiresAt = new Date((await readDatabaseClock()) + Math.round(milliseconds))
  const expiry = ['--role', 'agent', '--expires-at', expiresAt.toISOString()]
  await installation.command('account', 'set-role', '--account', shop.accountId, ...expiry)
  // A change of a role must reach every process within a second.
  await sleep(1_000)
  return expiresAt
}

/** The answers of the API processes about a shop: its role, and its price of 1 GB. */
function askAbout(shop: Shop, all: readonly ApiProcess[]) {
  const ask = (api: ApiProcess, path: string) => askUntilDefinite({ url: `${api.url}/api/v2${path}`, key: shop.key })
  const roleAt = async (api: ApiProcess) => {
    const outcome = await ask(api, '/account/role')
    return (outcome.kind === 'answer' ? outcome.body?.data : undefined) as Role | undefined
  }
  const priceAt = async (api: ApiProcess) => {
    const outcome = await ask(api, '/packages?network=MTN&size_gb=1')
    const packages = outcome.kind === 'answer' ? (outcome.body?.data?.['packages'] as { price: number }[]) : []
    return packages[0]?.price
  }
  return {
    stamps: () =>
      Promise.all(all.map(async (api) => ((await ask(api, '/wallet/balance')) as Answer).body?.meta?.timestamp ?? '')),
    prices: () => Promise.all(all.map(priceAt)),
    roles: () => Promise.all(all.map(roleAt)),
  }
}

test('role and prices follow the database clock, also on processes whose own clock is an hour fast or slow', async () => {
  const [fast, slow] = await Promise.all([
    installation.startApi({ clockShiftHours: 1 }),
    installation.startApi({ clockShiftHours: -1 }),
  ])
  const all = [...installation.apis.slice(0, 2), fast, slow]
  const startedAt = performance.now()
  const shop = await openShop(installation, { name: 'expiring', fundsGhs: '100.00' })
  const { stamps, prices: askPrices, roles } = askAbout(shop, all)
  // Checks that the preload works: the processes' own time is an hour off.
  const hoursOff = (await stamps()).map((stamp) => Math.round((Date.parse(stamp) - Date.now()) / 3_600_000) + 0)
  expect(hoursOff).toEqual([0, 0, 1, -1])

  // Commands are slow on a busy machine, so the role lasts longer the busier the machine is. If it ends before every process
  // was asked, it is given again for longer.
  let leadMilliseconds = 4_000 + 2 * (performance.now() - startedAt)
  let expiresAt = await makeAgentFor(shop, leadMilliseconds)
  let inForce = { prices: await askPrices(), roles: await roles() }
  while ((await readDatabaseClock()) > expiresAt.getTime() - 100) {
    leadMilliseconds *= 2
    expiresAt = await makeAgentFor(shop, leadMilliseconds)
    inForce = { prices: await askPrices(), roles: await roles() }
  }
  const agentPrice = 3.7
  const customerPrice = 4.2
  expect(inForce.prices).toEqual(all.map(() => agentPrice))
  expect(inForce.roles).toEqual(
    all.map(() =>
      expect.objectContaining({ is_active: true, is_permanent: false, days_remaining: 1, expires_at: expiresAt.toISOString() }),
    ),
  )

  // Prices are compared with the database's clock read right before and right after them.
  const tooLate: unknown[] = []
  const tooEarly: unknown[] = []
  await waitUntil('the role has been over for a while', async () => {
    const before = await readDatabaseClock()
    const prices = await askPrices()
    const after = await readDatabaseClock()
    // A process continues the clock from its last reading, so answers very close to the end prove nothing.
    const isOver = before > expiresAt.getTime() + 100
    const isInForce = after < expiresAt.getTime() - 100
    if (isInForce && prices.some((price) => price !== agentPrice)) tooEarly.push(prices)
    if (isOver && prices.some((price) => price !== customerPrice)) tooLate.push(prices)
    return before > expiresAt.getTime() + 500
  })
  expect({ tooEarly, tooLate }).toEqual({ tooEarly: [], tooLate: [] })
  expect(await roles()).toEqual(all.map(() => expect.objectContaining({ role: 'agent', is_active: false, days_remaining: 0 })))
  const bought = await Promise.all(
    all.map((api, no) =>
      askUntilDefinite({
        url: `${api.url}/api/v2/data/purchase`,
        method: 'POST',
        key: shop.key,
        body: makeDataBody(`expired-${no}`),
      }),
    ),
  )
  expect(bought.map((outcome) => (outcome.kind === 'answer' ? outcome.body?.data?.['price'] : outcome.code))).toEqual(
    all.map(() => customerPrice),
  )
  await Promise.all([fast.kill(), slow.kill()])
})
