import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { findEffectBreaches } from './src/find-effect-breaches.ts'
import { findJournalBreaches } from './src/find-journal-breaches.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { openJournal } from './src/journal.ts'
import { bulkCall, networks, orderOf, singleCall } from './src/make-calls.ts'
import { faultsOf, startNemesis } from './src/nemesis.ts'
import { openShop, type Shop } from './src/open-shop.ts'
import { type Placing, placeSurely } from './src/place-surely.ts'
import { createRandom } from './src/random.ts'
import { runSeconds, startRandomRun } from './src/run-options.ts'
import { sendInBursts } from './src/send-in-bursts.ts'
import { waitUntil } from './src/wait-until.ts'
import { watchLedger } from './src/watch-ledger.ts'

const chaosSeconds = runSeconds(12)
const referenceSeconds = runSeconds(5)
const inFlight = 64
const crashRounds = 4

let installation: Installation
let shops: Shop[]

beforeAll(async () => {
  installation = await startInstallation({ simulator: { SIMULATOR_DELIVERY_MS: '300' } })
  shops = await Promise.all(['ama', 'kofi', 'esi'].map((name) => openShop(installation, { name, fundsGhs: '1000000.00' })))
}, 120_000)
afterAll(() => installation?.destroy())

async function openPlacing(name: string): Promise<Placing> {
  const journal = openJournal(join(installation.dataDir, `${name}.journal.jsonl`))
  return { client: await installation.openClient(), journal, apis: installation.apis }
}

/** How long at most until what was recovered is on its way again; a killed worker's orders wait for their leases. */
const settleSeconds = 60

async function countOrders(condition: string): Promise<number> {
  return (await installation.query(`select from orders where ${condition}`)).length
}

test(
  'every acknowledged order survives kill -9 of API, worker and database under 64 requests in flight, and nothing is delivered twice',
  async () => {
    const random = startRandomRun('durability')
    // Faults and load draw from numbers of their own, so that the time of an answer does not change either.
    const load = createRandom(random.seed + 1)
    const placing = await openPlacing('durability')
    const faults = faultsOf(installation)
    onTestFailed(() => console.error(nemesis.history, placing.journal.counts(), installation.readLogs()))
    const watch = watchLedger(installation)
    const nemesis = startNemesis({
      seconds: chaosSeconds,
      random,
      faults: [
        faults.killApi,
        faults.killApi,
        faults.killWorker,
        faults.killDatabase,
        faults.killSession,
        faults.pauseApi,
        faults.pauseWorker,
        faults.pauseDatabase,
        faults.killSimulator,
      ],
      pauseMilliseconds: [300, 1_200],
    })
    await sendInBursts({ seconds: chaosSeconds, size: inFlight, everyMilliseconds: 500 }, (no) => {
      const shop = load.pick(shops)
      const order = (suffix: string) => orderOf(`durable-${no}${suffix}`, '000', load.pick(networks))
      const call = load.isLucky(10) ? bulkCall(shop, ['a', 'b', 'c'].map(order)) : singleCall(shop, order(''))
      return placeSurely(placing, call, no)
    })
    await nemesis.stop()
    await installation.heal()
    expect(nemesis.history.length).toBeGreaterThan(4)
    expect(await findJournalBreaches(installation, placing.journal)).toEqual([])
    expect(new Set(placing.journal.records().map(({ end }) => end))).toEqual(new Set(['accepted']))
    expect(placing.journal.counts()).not.toHaveProperty('500 internal_error')

    await waitUntil('half of the orders are delivered', settleSeconds, async () => {
      return (await countOrders(`status = 'completed'`)) * 2 > (await countOrders('true'))
    })
    expect(await findEffectBreaches(installation)).toEqual([])
    await watch.stop()
    expect(watch.reads()).toBeGreaterThan(10)
    expect((await installation.tryCommand('audit')).json).toMatchObject({ ok: true })
  },
  (chaosSeconds + 240) * 1_000,
)

test('an order that is acknowledged in the very moment the database crashes is there when it is back', async () => {
  const placing = await openPlacing('moment')
  onTestFailed(() => console.error(placing.journal.counts(), installation.readLogs()))
  const watch = watchLedger(installation)
  for (let round = 0; round < crashRounds; round += 1) {
    let acknowledged = 0
    let crash: Promise<void> | undefined
    await Promise.all(
      Array.from({ length: inFlight }, async (_, no) => {
        const call = singleCall(shops[no % shops.length] as Shop, orderOf(`moment-${round}-${no}`))
        await placeSurely(placing, call, no)
        acknowledged += 1
        if (acknowledged >= inFlight / 4) crash ??= installation.database.crash()
      }),
    )
    await crash
    await installation.heal()
  }
  expect(await findJournalBreaches(installation, placing.journal, 'moment-')).toEqual([])
  await watch.stop()
}, 240_000)

test(
  'one reference sent at the same time to both processes, through kills of API and database, is one order and one debit',
  async () => {
    const random = startRandomRun('one reference')
    const faults = faultsOf(installation)
    const placing = await openPlacing('one-reference')
    const watch = watchLedger(installation)
    const nemesis = startNemesis({
      seconds: chaosSeconds,
      random,
      faults: [faults.killApi, faults.killApi, faults.killDatabase, faults.killSession],
      pauseMilliseconds: [200, 700],
    })
    onTestFailed(() => console.error(nemesis.history, placing.journal.counts(), installation.readLogs()))
    // Bodies are equal per reference; every copy is a call of its own, and its answers must name the one order.
    const copies = 4
    await sendInBursts({ seconds: referenceSeconds, size: copies * 8, everyMilliseconds: 400 }, (no) => {
      const reference = `same-${Math.floor(no / copies)}`
      const call = singleCall(shops[0] as Shop, orderOf(reference))
      return placeSurely(placing, call, no)
    })
    await nemesis.stop()
    await installation.heal()
    const records = placing.journal.records()
    const idsOf = Map.groupBy(
      records.flatMap(({ orders }) => orders),
      ({ reference }) => reference,
    )
    const split = [...idsOf].filter(([, orders]) => new Set(orders.map(({ orderId }) => orderId)).size !== 1)
    expect(split).toEqual([])
    expect([...idsOf.values()].map((orders) => orders.length)).toEqual([...idsOf].map(() => copies))
    expect(await findJournalBreaches(installation, placing.journal, 'same-')).toEqual([])
    await watch.stop()
    expect((await installation.tryCommand('audit')).json).toMatchObject({ ok: true })
  },
  (referenceSeconds + 240) * 1_000,
)
