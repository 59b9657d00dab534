import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFailed, test, vi } from 'vitest'
import type { ApiProcess } from './src/describe-processes.ts'
import { findJournalBreaches } from './src/find-journal-breaches.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { openJournal } from './src/journal.ts'
import { bulkCall, orderOf, singleCall } from './src/make-calls.ts'
import { openShop, type Shop } from './src/open-shop.ts'
import { type Placing, placeOnce } from './src/place-surely.ts'
import { type CommitFate, openPostgresProxy, type PostgresProxy } from './src/postgres-proxy.ts'
import { type LedgerWatch, watchLedger } from './src/watch-ledger.ts'

/** The sessions by which orders are placed. */
const door = /^makola door/

/** For the whole suite on a busy machine; alone each takes seconds. */
vi.setConfig({ testTimeout: 120_000 })

let installation: Installation
let proxy: PostgresProxy
let api: ApiProcess
let shop: Shop
let watch: LedgerWatch
let placing: Placing
let fileNo = 0

beforeAll(async () => {
  // The API with its own way to the database keeps that at work; the one behind the proxy is asked.
  installation = await startInstallation({ apis: 1, workers: 0 })
  proxy = await openPostgresProxy(installation.database)
  const [startedApi, openedShop] = await Promise.all([
    installation.startApi({ databaseUrl: proxy.url }),
    openShop(installation, { name: 'abena', fundsGhs: '1000.00' }),
  ])
  api = startedApi
  shop = openedShop
}, 120_000)
afterAll(async () => {
  await proxy?.close()
  await installation?.destroy()
})

beforeEach(async () => {
  fileNo += 1
  const journal = openJournal(join(installation.dataDir, `lost-commit-${fileNo}.jsonl`))
  placing = { client: await installation.openClient({ patienceSeconds: 40 }), journal, apis: installation.apis }
  watch = watchLedger(installation)
})
afterEach(async () => {
  proxy.heal()
  await watch.stop()
})

async function countOrders(reference: string): Promise<{ orders: number; debits: number }> {
  const [row] = await installation.query<{ orders: number; debits: number }>(
    `select count(distinct orders.id)::int as orders, count(transfers.cause_id)::int as debits
     from orders left join transfers on transfers.cause_id = orders.id and transfers.kind = 'purchase'
     where reference = $1`,
    [reference],
  )
  return row ?? { orders: -1, debits: -1 }
}

const fates: [CommitFate, string][] = [
  ['cut_answer', 'after the server committed, before its answer'],
  ['cut_before', 'before the server saw COMMIT'],
  ['silence', 'in silence: COMMIT is never answered and the connection stays open'],
]

test.for(fates)('a wire that breaks %s (%s) is bridged: the caller gets 200 and pays once', async ([fate]) => {
  onTestFailed(() => console.error(installation.readLogs()))
  const call = singleCall(shop, orderOf(`single-${fate}`))
  const met = proxy.meetCommit(door, fate)
  const outcome = await placeOnce(placing, api, call)
  await met
  expect(outcome).toMatchObject({ status: 200, body: { data: { reference: `single-${fate}` } } })
  // This very call placed it; a replay would say so.
  expect(outcome).not.toHaveProperty(['headers', 'idempotent-replayed'])
  expect(await countOrders(`single-${fate}`)).toEqual({ orders: 1, debits: 1 })

  const replay = await placeOnce(placing, api, call)
  expect(replay).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
  expect(await findJournalBreaches(installation, placing.journal, `single-${fate}`)).toEqual([])
})

test('a whole batch of requests in one commit whose answer is cut: every caller gets 200 and pays once', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  const singles = Array.from({ length: 40 }, (_, no) => singleCall(shop, orderOf(`batch-${no}`)))
  const bulk = bulkCall(
    shop,
    ['x', 'y', 'z'].map((name) => orderOf(`batch-${name}`)),
  )
  const met = proxy.meetCommit(door, 'cut_answer')
  const outcomes = await Promise.all([...singles, bulk].map((call) => placeOnce(placing, api, call)))
  await met
  expect(outcomes.map((outcome) => (outcome.kind === 'answer' ? outcome.status : outcome.code))).toEqual(
    Array.from({ length: 41 }, () => 200),
  )
  expect(await findJournalBreaches(installation, placing.journal, 'batch-')).toEqual([])
})

test('when the outcome of a commit cannot be learnt, 503 says so, and the retry replays the one order', async () => {
  onTestFailed(() => console.error(installation.readLogs()))
  const call = singleCall(shop, orderOf('unlearnt'))
  const met = proxy.meetCommit(door, 'cut_answer').then(() => proxy.blackHole())
  const outcome = await placeOnce(placing, api, call)
  await met
  expect(outcome).toMatchObject({ status: 503, headers: { 'x-error-reason': 'outcome_unknown' }, body: { success: false } })
  expect(outcome).toHaveProperty(['headers', 'retry-after'])
  expect(await countOrders('unlearnt')).toEqual({ orders: 1, debits: 1 })
  proxy.heal()
  await sleep(500)
  const retry = await retryUntilDefinite(call)
  expect(retry).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
  expect(await countOrders('unlearnt')).toEqual({ orders: 1, debits: 1 })
})

/** Right after the wire is whole again the process may still be finding that out. */
async function retryUntilDefinite(call: ReturnType<typeof singleCall>) {
  for (;;) {
    const outcome = await placeOnce(placing, api, call)
    if (outcome.class !== 'ambiguous' && outcome.class !== 'transient') return outcome
    await sleep(200)
  }
}
