import { devNull } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest'
import { findJournalBreaches } from './src/breaches/find-journal-breaches.ts'
import { type LedgerWatch, watchLedger } from './src/breaches/watch-ledger.ts'
import type { Outcome } from './src/client.ts'
import type { ApiProcess } from './src/describe-processes.ts'
import { type CommitFate, openPostgresProxy, type PostgresProxy } from './src/faults/postgres-proxy.ts'
import { observeUndisturbed } from './src/faults/undisturbed.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { type Call, openJournal } from './src/journal.ts'
import { airtimeCall, billCall, bulkCall, makeAirtimeBody, makeBillBody, makeDataBody, singleCall } from './src/make-calls.ts'
import { type CommissionShop, liftRateLimits, openCommissionShop } from './src/open-shop.ts'
import { type PlacingDeps, placeOnce, placeUntilDefinite } from './src/place-surely.ts'

const intake = /^makola intake/

let installation: Installation
let proxy: PostgresProxy
let api: ApiProcess
let shop: CommissionShop
let watch: LedgerWatch
let placing: PlacingDeps
let fileNo = 0

beforeAll(async () => {
  // The first API, which has a direct connection, keeps the database running. The requests go to the one behind the
  // proxy.
  installation = await startInstallation({ apis: 1, workers: 0 })
  proxy = await openPostgresProxy(installation.database)
  const [startedApi, openedShop] = await Promise.all([
    installation.startApi({ databaseUrl: proxy.url }),
    openCommissionShop(installation, { name: 'abena', fundsGhs: '1000.00' }),
    liftRateLimits(installation),
  ])
  api = startedApi
  shop = openedShop
})
afterAll(async () => {
  await proxy?.close()
  await installation?.destroy()
})

function openNextJournal() {
  fileNo += 1
  return openJournal(join(installation.dataDir, `lost-commit-${fileNo}.jsonl`))
}

beforeEach(async () => {
  const client = await installation.openClient({ patienceSeconds: 40 })
  placing = { client, journal: openNextJournal(), apis: installation.apis }
  watch = watchLedger(installation)
})
afterEach(async () => {
  proxy.heal()
  await watch.stop()
})

/** Counts the orders, and their debits, with this reference; a bill without a reference is found by its account. */
async function countOrders(name: string): Promise<{ orders: number; debits: number }> {
  const [row] = await installation.query<{ orders: number; debits: number }>(
    `select count(distinct orders.id)::int as orders, count(transfers.cause_id)::int as debits
     from orders left join account_references on account_references.order_id = orders.id
     left join transfers on transfers.cause_id = orders.id and transfers.kind = 'purchase'
     where $1 in (account_references.reference, orders.reference, orders.recipient)`,
    [name],
  )
  return row ?? { orders: -1, debits: -1 }
}

const fates: [CommitFate, string][] = [
  ['cut_answer', 'after the server committed, before its answer'],
  ['cut_before', 'before the server saw COMMIT'],
  ['silence', 'in silence: COMMIT is never answered and the connection stays open'],
]

const replayed = { status: 200, isReplayed: true }

/**
 * The purchases while the connection breaks, by the name under which they are counted, and the later answer to the same
 * call. Bills are committed by COMMIT, the others by the call that writes them.
 */
type Purchase = { named: string; makeCall: (name: string) => Call; again: object }
const byOneCall: Purchase[] = [
  { named: 'bundle', makeCall: (name) => singleCall(shop, makeDataBody(name)), again: replayed },
  { named: 'airtime', makeCall: (name) => airtimeCall(shop, makeAirtimeBody(name)), again: replayed },
]
const byCommit: Purchase[] = [
  { named: 'bill', makeCall: (name) => billCall(shop, makeBillBody(name)), again: replayed },
  {
    // Without a reference, the same bill counts as a second one, which comes too soon.
    named: 'unnamed',
    makeCall: (name) => billCall(shop, { ...makeBillBody(undefined), account: name }),
    again: { status: 409, isReplayed: false },
  },
]

const view = (outcome: Outcome) =>
  outcome.kind === 'answer'
    ? { status: outcome.status, isReplayed: outcome.headers['idempotent-replayed'] === 'true' }
    : { code: outcome.code }

/** A new round without leftovers of the one before. */
function beginRound(): void {
  proxy.forget()
  placing = { ...placing, journal: openNextJournal() }
}

/**
 * Makes calls share one commit, and applies the fate to it. They gather while the commit of `before` is held. Returns the
 * outcome of `before` first.
 */
async function placeTogether(before: Call, calls: readonly Call[], fate: CommitFate): Promise<Outcome[]> {
  const isHeld = proxy.interceptCommit(intake, 'hold')
  const first = placeOnce(placing, api, before)
  await isHeld
  const isMet = proxy.interceptCommit(intake, fate)
  const placed = calls.map((call) => placeOnce(placing, api, call))
  // No sign outside the process shows that a request waits in it.
  await sleep(300)
  proxy.release()
  // Calls that waited too long, because the machine stood still, are answered without any commit.
  await Promise.race([isMet, Promise.all(placed)])
  return Promise.all([first, ...placed])
}

const brokenWires = fates.flatMap(([fate, when]) => [
  { fate, when, way: 'one call', purchases: byOneCall },
  { fate, when, way: 'COMMIT', purchases: byCommit },
])

test.for(brokenWires)(
  'a wire that breaks $fate ($when) under $way is bridged: every caller gets 200 and pays once',
  async ({ fate, purchases }) => {
    onTestFailed(() => console.error(installation.readLogs()))
    const paidOnce = { orders: 1, debits: 1 }
    const served = { status: 200, isReplayed: false }
    const observed = await observeUndisturbed(async (round) => {
      beginRound()
      const named = purchases.map((purchase) => ({ ...purchase, name: `${purchase.named}-${fate}-${round}` }))
      const [first] = purchases as [Purchase]
      const calls = named.map(({ makeCall, name }) => makeCall(name))
      const outcomes = await placeTogether(first.makeCall(`before-${fate}-${round}`), calls, fate)
      const placed = await Promise.all(named.map(({ name }) => countOrders(name)))
      // Uses a journal that nobody reads: repeating a call without a reference is a new purchase, which the other journal would
      // not expect.
      const unwritten = { ...placing, journal: openJournal(devNull) }
      const repeated = await Promise.all(calls.map((call) => placeOnce(unwritten, api, call)))
      const afterwards = await Promise.all(named.map(({ name }) => countOrders(name)))
      expect([...placed, ...afterwards].filter(({ orders, debits }) => orders !== debits)).toEqual([])
      expect(await findJournalBreaches(installation, placing.journal, 'no other')).toEqual([])
      return { outcomes: outcomes.map(view), placed, repeated: repeated.map(view), afterwards }
    })
    expect(observed).toEqual({
      // These calls placed the orders themselves; a replay would say so.
      outcomes: [served, ...purchases.map(() => served)],
      placed: purchases.map(() => paidOnce),
      repeated: purchases.map(({ again }) => again),
      afterwards: purchases.map(() => paidOnce),
    })
  },
)

test('whole batches of requests in commits whose answers are cut: every caller gets 200 and pays once', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  const observed = await observeUndisturbed(async (round) => {
    beginRound()
    const prefix = `batch-${round}-`
    const singles = Array.from({ length: 40 }, (_, no) => {
      if (no % 4 === 1) return airtimeCall(shop, makeAirtimeBody(`${prefix}${no}`))
      return no % 4 === 3 ? billCall(shop, makeBillBody(`${prefix}${no}`)) : singleCall(shop, makeDataBody(`${prefix}${no}`))
    })
    const bulk = bulkCall(
      shop,
      ['x', 'y', 'z'].map((name) => makeDataBody(`${prefix}${name}`)),
    )
    let cutAnswers = 0
    for (const _ of [1, 2]) void proxy.interceptCommit(intake, 'cut_answer').then(() => (cutAnswers += 1))
    const outcomes = await Promise.all([...singles, bulk].map((call) => placeOnce(placing, api, call)))
    expect(await findJournalBreaches(installation, placing.journal, prefix)).toEqual([])
    return { cutAnswers, outcomes: outcomes.map((outcome) => (outcome.kind === 'answer' ? outcome.status : outcome.code)) }
  })
  expect(observed).toEqual({ cutAnswers: 2, outcomes: Array.from({ length: 41 }, () => 200) })
})

test('when the outcome of a commit cannot be learnt, 503 says so, and the retry replays the one order', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  const call = singleCall(shop, makeDataBody('unlearnt'))
  const met = proxy.interceptCommit(intake, 'cut_answer').then(() => proxy.blackHole())
  const outcome = await placeOnce(placing, api, call)
  await met
  expect(outcome).toMatchObject({ status: 503, headers: { 'x-error-reason': 'outcome_unknown' }, body: { success: false } })
  expect(outcome).toHaveProperty(['headers', 'retry-after'])
  expect(await countOrders('unlearnt')).toEqual({ orders: 1, debits: 1 })
  proxy.heal()
  expect(view(await retryUntilDefinite(call))).toEqual(replayed)
  expect(await countOrders('unlearnt')).toEqual({ orders: 1, debits: 1 })
})

/**
 * Repeats a call until its outcome is definite: right after the connection is restored, the process may still use the broken
 * one.
 */
async function retryUntilDefinite(call: Call) {
  for (;;) {
    const outcome = await placeOnce(placing, api, call)
    if (outcome.class !== 'ambiguous' && outcome.class !== 'transient') return outcome
    await sleep(200)
  }
}

/** Kills the process between COMMIT and its answer: the order exists, and the caller sees a broken connection. */
async function placeUnheard(call: Call): Promise<void> {
  const met = proxy.interceptCommit(intake, 'hold').then(() => api.kill())
  expect(await placeOnce(placing, api, call)).toMatchObject({ kind: 'failure', class: 'ambiguous' })
  await met
  proxy.release()
  await api.start()
}

const set = (name: string, value: string) => installation.command('setting', 'set', name, value)

/** Settings that an operator may change between a call and its retry: the name, the new value and the value before. */
const changes: [string, string, string][][] = [
  [
    ['airtime_min.MTN', '50', '1'],
    ['utilities_min_amount', '50', '1'],
  ],
  [
    ['airtime_enabled', 'false', 'true'],
    ['biller_enabled.gotv', 'false', 'true'],
  ],
]

test('the retry of a call whose answer was lost is 200, whatever bound or switch has changed since, and within the duplicate window', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  const bill = makeBillBody('changed-bill')
  const unheard = [airtimeCall(shop, makeAirtimeBody('changed-airtime')), billCall(shop, bill)]
  for (const call of unheard) await placeUnheard(call)
  const retry = () => Promise.all(unheard.map((call) => placeUntilDefinite(placing, call)))
  expect((await retry()).map(view)).toEqual([replayed, replayed])

  const statuses: unknown[] = []
  for (const [no, change] of changes.entries()) {
    try {
      await Promise.all(change.map(([name, value]) => set(name, value)))
      // A setting must reach every process within a second.
      await sleep(1_000)
      expect((await retry()).map(view)).toEqual([replayed, replayed])
      const others = [airtimeCall(shop, makeAirtimeBody(`other-${no}`)), billCall(shop, makeBillBody(`other-${no}`))]
      const refused = await Promise.all(others.map((call) => placeUntilDefinite(placing, call)))
      statuses.push(refused.map((outcome) => (outcome.kind === 'answer' ? outcome.status : outcome.code)))
    } finally {
      await Promise.all(change.map(([name, , before]) => set(name, before)))
    }
  }
  expect(statuses).toEqual([
    [400, 400],
    [503, 503],
  ])
  // A bill's reference alone identifies it: the rest of the retry is not read, even if it is wrong.
  const key = shop.commissionKey
  const url = `${(installation.apis[0] as ApiProcess).url}/api/v2/utilities/pay`
  for (const body of [{ reference: bill.reference }, { ...bill, amount: 0.001 }, { ...bill, biller: 'nobody', account: '' }]) {
    const outcome = await placing.client.ask({ url, method: 'POST', key, body })
    expect(outcome).toMatchObject({ status: 200, body: { data: { already_processed: true } } })
  }
  for (const name of ['changed-airtime', 'changed-bill']) expect(await countOrders(name)).toEqual({ orders: 1, debits: 1 })
  expect(await findJournalBreaches(installation, placing.journal, 'changed-')).toEqual([])
})

/** Counts the rows of each table that an order writes to, and adds up all balances. */
function readTraces(): Promise<object[]> {
  return installation.query(
    `select (select count(*) from orders) as orders, (select count(*) from open_orders) as open_orders,
       (select count(*) from transfers) as transfers, (select sum(balance) from wallets) as balances,
       (select count(*) from order_references) as shared_names, (select count(*) from account_references) as own_names`,
  )
}

test('a call that is refused for good leaves no row and no debit, and its reference stays free', async () => {
  const poor = await openCommissionShop(installation, { name: 'poor', fundsGhs: '3.00' })
  const taken = { ...makeAirtimeBody('taken'), amount: 6 }
  const paid = makeBillBody('paid')
  for (const call of [singleCall(shop, makeDataBody('taken-bundle')), airtimeCall(shop, taken), billCall(shop, paid)]) {
    expect(await placeUntilDefinite(placing, call)).toMatchObject({ status: 200 })
  }
  const before = await readTraces()
  const airtime = makeAirtimeBody('free-airtime')
  const bill = makeBillBody('free-bill')
  const standard = { ...shop, commissionKey: shop.key }
  const refusals: [number, Call][] = [
    [400, airtimeCall(shop, { ...airtime, amount: 0.99 })],
    [400, airtimeCall(shop, { ...airtime, amount: 100.01 })],
    [400, airtimeCall(shop, { ...airtime, amount: 5.005 })],
    [400, airtimeCall(shop, { ...airtime, network: 'Telecel' })],
    [400, airtimeCall(shop, { ...airtime, beneficiary_phone: '24123400' })],
    [400, airtimeCall(shop, { ...airtime, reference: 'ab' })],
    [400, airtimeCall(poor, airtime)],
    [403, airtimeCall(standard, airtime)],
    [409, airtimeCall(shop, { ...airtime, reference: 'taken' })],
    [409, airtimeCall(shop, { ...airtime, reference: 'taken-bundle' })],
    [409, airtimeCall(poor, taken)],
    [400, billCall(shop, { ...bill, amount: 0.99 })],
    [400, billCall(shop, { ...bill, amount: 1_000.01 })],
    [400, billCall(shop, { ...bill, amount: 5.005 })],
    [400, billCall(shop, { ...bill, biller: 'ecg' })],
    [400, billCall(shop, { ...bill, biller: 'nobody' })],
    [400, billCall(shop, { ...bill, account: ' ' })],
    [400, billCall(shop, { ...bill, reference: 'not free' })],
    [400, billCall(poor, bill)],
    [403, billCall(standard, bill)],
    [409, billCall(shop, { ...paid, reference: 'free-bill' })],
  ]
  const outcomes = await Promise.all(refusals.map(([, call]) => placeUntilDefinite({ ...placing, apis: [api] }, call)))
  expect(outcomes.map((outcome) => (outcome.kind === 'answer' ? outcome.status : outcome.code))).toEqual(
    refusals.map(([status]) => status),
  )
  expect(await readTraces()).toEqual(before)
  expect(await findJournalBreaches(installation, placing.journal, 'free-')).toEqual([])
  for (const call of [airtimeCall(shop, airtime), billCall(shop, bill)]) {
    const outcome = await placeOnce(placing, api, call)
    expect(view(outcome)).toEqual({ status: 200, isReplayed: false })
  }
})
