import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { findEffectBreaches } from './src/breaches/find-effect-breaches.ts'
import { findJournalBreaches } from './src/breaches/find-journal-breaches.ts'
import { findSettlementBreaches } from './src/breaches/find-settlement-breaches.ts'
import { watchLedger } from './src/breaches/watch-ledger.ts'
import { faultsOf, startNemesis } from './src/faults/nemesis.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { type Call, openJournal } from './src/journal.ts'
import {
  airtimeCall,
  airtimeNetworks,
  billCall,
  billers,
  bulkCall,
  makeAirtimeBody,
  makeBillBody,
  makeDataBody,
  networks,
  singleCall,
} from './src/make-calls.ts'
import { findBorderBreaches, untilMonthEnds } from './src/month-border.ts'
import { type CommissionShop, liftRateLimits, openCommissionShop } from './src/open-shop.ts'
import { type PlacingDeps, placeUntilDefinite, untilAllAnswered } from './src/place-surely.ts'
import { createRandom, type Random, runSeconds, startRandomRun } from './src/random.ts'
import { sendInBursts } from './src/send-in-bursts.ts'
import { waitUntil } from './src/wait-until.ts'

const chaosSeconds = runSeconds(12)
const referenceSeconds = runSeconds(5)
const inFlight = 64

/** With the clock moved: half of a spell of faults before the month ends, and orders before them. */
const secondsBeforeBorder = { load: 20, faults: 6 }
const crashRounds = 4

let installation: Installation
let shops: [CommissionShop, CommissionShop, CommissionShop]

beforeAll(async () => {
  installation = await startInstallation({ simulator: { SIMULATOR_DELIVERY_MS: '300' } })
  const open = (name: string) => openCommissionShop(installation, { name, fundsGhs: '1000000.00' })
  const [opened] = await Promise.all([Promise.all([open('ama'), open('kofi'), open('esi')]), liftRateLimits(installation)])
  shops = opened
})
afterAll(() => installation?.destroy())

async function openPlacing(name: string): Promise<PlacingDeps> {
  const journal = openJournal(join(installation.dataDir, `${name}.journal.jsonl`))
  return { client: await installation.openClient(), journal, apis: installation.apis }
}

async function countOrders(condition: string): Promise<number> {
  return (await installation.query(`select from orders where ${condition}`)).length
}

/**
 * Makes a call for a random product, single or in bulk. Bills of several shops use equal references on purpose, and
 * share them with some other orders.
 */
function pickCall(load: Random, no: number): Call {
  const shop = load.pick(shops)
  const order = (suffix: string) => makeDataBody(`durable-${no}${suffix}`, '000', load.pick(networks))
  if (load.isLucky(10)) return bulkCall(shop, ['a', 'b', 'c'].map(order))
  if (load.isLucky(20)) return airtimeCall(shop, makeAirtimeBody(`durable-${no}`, '000', load.pick(airtimeNetworks)))
  if (load.isLucky(25)) {
    const own = shops[no % shops.length] as CommissionShop
    return billCall(own, makeBillBody(`durable-${Math.floor(no / shops.length)}`, '000', load.pick(billers)))
  }
  return singleCall(shop, order(''))
}

/** Half of the orders of each product are delivered before effects are counted; in a long run, this many are enough. */
const deliveredMax = 1_000

/** At the end of the run, every call whose number is a multiple of this is repeated. */
const replayEvery = 8

test(
  'every acknowledged order survives kill -9 of API, worker and database under 64 requests in flight, and nothing is delivered twice',
  async () => {
    const random = startRandomRun('durability')
    // Faults and load use separate random numbers, so that the timing of answers changes neither.
    const load = createRandom(random.seed + 1)
    const placing = await openPlacing('durability')
    const faults = faultsOf(installation)
    await untilMonthEnds(secondsBeforeBorder.load)
    onTestFailed(() => console.error(nemesis.history, placing.journal.counts(), installation.readLogs()))
    const watch = watchLedger(installation)
    const sending = sendInBursts({ seconds: chaosSeconds, size: inFlight, everyMilliseconds: 500 }, (no) => {
      return placeUntilDefinite(placing, pickCall(load, no), no)
    })
    await untilMonthEnds(secondsBeforeBorder.faults)
    const nemesis = startNemesis({
      seconds: chaosSeconds,
      random,
      faults: [
        faults.killApi,
        faults.killApi,
        faults.killWorker,
        faults.killDatabase,
        faults.killSession,
        faults.freezeSession,
        faults.pauseApi,
        faults.pauseWorker,
        faults.pauseDatabase,
        faults.killSimulator,
      ],
      pauseMilliseconds: [300, 1_200],
      untilServed: () => untilAllAnswered(placing),
    })
    await sending
    await nemesis.stop()
    await installation.heal()
    expect(nemesis.history.length).toBeGreaterThan(4)
    expect(await findJournalBreaches(installation, placing.journal)).toEqual([])
    expect(new Set(placing.journal.records().map(({ end }) => end))).toEqual(new Set(['accepted']))
    expect(placing.journal.counts()).not.toHaveProperty('500 internal_error')
    // The journal throws where an answer names other orders than the first answer.
    const again = placing.journal.records().filter((_, no) => no % replayEvery === 0)
    const replays = await Promise.all(again.map(({ call }, no) => placeUntilDefinite(placing, call, no)))
    expect(replays.filter((outcome) => outcome.kind !== 'answer' || outcome.headers['idempotent-replayed'] !== 'true')).toEqual(
      [],
    )
    expect(await findJournalBreaches(installation, placing.journal)).toEqual([])

    await waitUntil('many orders of each product are delivered', async () => {
      const isEnough = async (kind: string) => {
        const all = await countOrders(`kind = '${kind}'`)
        return (await countOrders(`kind = '${kind}' and status = 'completed'`)) > Math.min(all / 2, deliveredMax)
      }
      return (await Promise.all(['data', 'airtime', 'utilities'].map(isEnough))).every(Boolean)
    })
    expect(await findEffectBreaches(installation)).toEqual([])
    expect(await findSettlementBreaches(installation)).toEqual([])
    expect(await findBorderBreaches(installation, placing.journal, nemesis)).toEqual([])
    await waitUntil('the books were read some times', () => watch.reads() > 10)
    await watch.stop()
    expect((await installation.tryCommand('audit')).json).toMatchObject({ ok: true })
  },
  (2 * chaosSeconds + 900) * 1_000,
)

function callAtMoment(no: number, name: string): Call {
  const shop = shops[no % shops.length] as CommissionShop
  if (no % 4 === 1) return airtimeCall(shop, makeAirtimeBody(name))
  return no % 4 === 3 ? billCall(shop, makeBillBody(name)) : singleCall(shop, makeDataBody(name))
}

test('an order that is acknowledged in the very moment the database crashes is there when it is back', async () => {
  const placing = await openPlacing('moment')
  onTestFailed(() => console.error(placing.journal.counts(), installation.readLogs()))
  const watch = watchLedger(installation)
  for (let round = 0; round < crashRounds; round += 1) {
    let acknowledged = 0
    let crash: Promise<void> | undefined
    await Promise.all(
      Array.from({ length: inFlight }, async (_, no) => {
        await placeUntilDefinite(placing, callAtMoment(no, `moment-${round}-${no}`), no)
        acknowledged += 1
        if (acknowledged >= inFlight / 4) crash ??= installation.database.crash()
      }),
    )
    await crash
    await installation.heal()
  }
  expect(await findJournalBreaches(installation, placing.journal, 'moment-')).toEqual([])
  await watch.stop()
})

/**
 * Calls sent at the same moment, and the number of orders that may result. `acknowledged`: number of callers whose answer names an
 * order.
 */
type Race = { readonly calls: (name: string) => readonly Call[]; readonly orders: number; readonly acknowledged: number }

const copies = 4
const four = <Item>(make: (copy: number) => Item): Item[] => Array.from({ length: copies }, (_, copy) => make(copy))

/** Equal bodies, different ones, two products and two accounts, each under one reference. */
const races: readonly Race[] = [
  { calls: (name) => four(() => singleCall(shops[0], makeDataBody(name))), orders: 1, acknowledged: 4 },
  { calls: (name) => four(() => airtimeCall(shops[0], makeAirtimeBody(name))), orders: 1, acknowledged: 4 },
  { calls: (name) => four((copy) => singleCall(shops[0], makeDataBody(name, `00${copy}`))), orders: 1, acknowledged: 1 },
  {
    calls: (name) => four((copy) => airtimeCall(shops[0], { ...makeAirtimeBody(name), amount: 5 + copy })),
    orders: 1,
    acknowledged: 1,
  },
  {
    calls: (name) => four((copy) => singleCall(shops[copy % 2] as CommissionShop, makeDataBody(name))),
    orders: 1,
    acknowledged: 2,
  },
  {
    calls: (name) => four((copy) => airtimeCall(shops[copy % 2] as CommissionShop, makeAirtimeBody(name))),
    orders: 1,
    acknowledged: 2,
  },
  {
    calls: (name) =>
      four((copy) => (copy % 2 === 0 ? singleCall(shops[0], makeDataBody(name)) : airtimeCall(shops[0], makeAirtimeBody(name)))),
    orders: 1,
    acknowledged: 2,
  },
  {
    calls: (name) => {
      const bill = makeBillBody(name)
      return four(() => billCall(shops[0], bill))
    },
    orders: 1,
    acknowledged: 4,
  },
  // A bill's reference alone identifies the payment within its account, whatever else the body contains.
  { calls: (name) => four(() => billCall(shops[0], makeBillBody(name))), orders: 1, acknowledged: 4 },
  {
    calls: (name) => {
      const bill = makeBillBody(name)
      return four((copy) => billCall(shops[copy % 2] as CommissionShop, bill))
    },
    orders: 2,
    acknowledged: 4,
  },
  {
    calls: (name) => {
      const bill = makeBillBody(name)
      return four((copy) => (copy % 2 === 0 ? billCall(shops[0], bill) : singleCall(shops[0], makeDataBody(name))))
    },
    orders: 2,
    acknowledged: 4,
  },
]

/**
 * The same bill under four references. Because of kills, a second payment may come after the 30 s window; the check of
 * the journal takes that into account.
 */
function sameBill(name: string): readonly Call[] {
  const bill = makeBillBody(undefined)
  return four((copy) => billCall(shops[0], { ...bill, reference: `${name}-${copy}` }))
}

test(
  'one reference sent at the same time to both processes, through kills of API and database, is one order and one debit, whatever it is for',
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
      untilServed: () => untilAllAnswered(placing),
    })
    onTestFailed(() => console.error(nemesis.history, placing.journal.counts(), installation.readLogs()))
    // Every copy is a separate call, and the answers of all must name the same order.
    const groups: { race: Race | undefined; calls: readonly Call[] }[] = []
    await sendInBursts({ seconds: referenceSeconds, size: copies * 8, everyMilliseconds: 400 }, (no) => {
      const groupNo = Math.floor(no / copies)
      const race = races[groupNo % (races.length + 1)]
      groups[groupNo] ??= { race, calls: (race?.calls ?? sameBill)(`same-${groupNo}`) }
      return placeUntilDefinite(placing, groups[groupNo].calls[no % copies] as Call, no)
    })
    await nemesis.stop()
    await installation.heal()
    expect(groups.length).toBeGreaterThan(races.length)
    const records = new Map(placing.journal.records().map((record) => [record.call, record]))
    const ended = groups.map(({ race, calls }) => {
      const acknowledged = calls.flatMap((call) => records.get(call)?.orders ?? [])
      return { race, orders: new Set(acknowledged.map(({ orderId }) => orderId)).size, acknowledged: acknowledged.length, calls }
    })
    const isWrong = ({ race, orders, acknowledged }: (typeof ended)[number]) =>
      race === undefined ? orders === 0 || acknowledged !== orders : orders !== race.orders || acknowledged !== race.acknowledged
    expect(ended.filter(isWrong)).toEqual([])
    expect(await findJournalBreaches(installation, placing.journal, 'same-')).toEqual([])
    await watch.stop()
    expect((await installation.tryCommand('audit')).json).toMatchObject({ ok: true })
  },
  (2 * referenceSeconds + 900) * 1_000,
)
