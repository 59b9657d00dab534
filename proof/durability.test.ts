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
import { runSeconds, startRandomRun } from './src/run-options.ts'
import { sendInBursts } from './src/send-in-bursts.ts'
import { watchLedger } from './src/watch-ledger.ts'

const chaosSeconds = runSeconds(12)
const inFlight = 64

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

test(
  'every acknowledged order survives kill -9 of API, worker and database under 64 requests in flight, and nothing is delivered twice',
  async () => {
    const random = startRandomRun('durability')
    const placing = await openPlacing('durability')
    const faults = faultsOf(installation)
    onTestFailed(() => console.error(nemesis.history.join('\n'), placing.journal.counts(), installation.readLogs()))
    const watch = watchLedger(installation)
    const nemesis = startNemesis({
      random,
      faults: [faults.killApi, faults.killApi, faults.killWorker, faults.killDatabase, faults.killSession, faults.pauseDatabase, faults.pauseApi],
      pauseMilliseconds: [300, 1_500],
    })
    await sendInBursts({ seconds: chaosSeconds, size: inFlight, everyMilliseconds: 500 }, (no) => {
      const shop = random.pick(shops)
      const order = (suffix: string) => orderOf(`durable-${no}${suffix}`, '000', random.pick(networks))
      const call = random.isLucky(10) ? bulkCall(shop, ['a', 'b', 'c'].map(order)) : singleCall(shop, order(''))
      return placeSurely(placing, call, no)
    })
    await nemesis.stop()
    await installation.heal()
    expect(await watch.stop()).toEqual([])
    expect(watch.reads()).toBeGreaterThan(10)
    expect(await findJournalBreaches(installation, placing.journal)).toEqual([])
    expect((await installation.tryCommand('audit')).json).toMatchObject({ ok: true })
    expect(await findEffectBreaches(installation)).toEqual([])
    const ends = placing.journal.records().map(({ end }) => end)
    expect(new Set(ends)).toEqual(new Set(['accepted']))
    console.log(placing.journal.counts(), nemesis.history)
  },
  (chaosSeconds + 120) * 1_000,
)
