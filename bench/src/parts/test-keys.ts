import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { connectDatabase, type Db } from '../../../server/src/platform/database/database.ts'
import { findFreePort } from '../../../server/src/platform/find-free-port.ts'
import { type Bench, setOpenOrdersAside } from '../bench-servers.ts'
import { type LoadResult, mustAllSucceed, runAtFullSpeed, runAtRate, type Target } from '../load/load.ts'
import { purchases } from '../load/requests.ts'
import { connections } from '../measure/measure-in-turn.ts'
import { median } from '../measure/median.ts'
import { addressOf } from '../open-empty-shop.ts'
import { openAccounts, type ShopAccount } from '../open-shop.ts'
import { atMost, milliseconds } from '../report/make-ratio.ts'
import { readAuthority, startPlatform } from '../start-servers.ts'
import { beside } from './fairness.ts'
import type { Part } from './part.ts'

/** The name that `makola start` gives the database of its test side. */
const testName = 'makola_test'

/** Real purchases a second: four million a day, and so few that they do not queue while the machine does other work. */
const perSecond = 50

const testKeys = 20

/** Five hundred purchases, so that five of them are slower than the p99. */
const watchedSecondsMin = 10

const pauseMilliseconds = 200

/** Opens accounts with test keys once the test side has its catalogue, and waits until one of the keys can buy. */
async function openTestKeys(db: Db, target: Target): Promise<ShopAccount[]> {
  const isFilled = () =>
    sql`select from packages limit 1`.execute(db).then(
      ({ rows }) => rows.length > 0,
      () => false,
    )
  while (!(await isFilled())) await wait(pauseMilliseconds)
  const accounts = await openAccounts(db, testKeys, true)
  const request = purchases(accounts, 'Telecel')
  const buys = async () =>
    (await runAtFullSpeed({ target, connections: 1, requests: 1, seconds: 10, request })).statuses[200] === 1
  while (!(await buys())) await wait(pauseMilliseconds)
  return accounts
}

async function measure(bench: Bench, target: Target, testers: readonly ShopAccount[]) {
  const load = { target, connections, request: purchases(bench.accounts), perSecond }
  const seconds = Math.max(bench.options.seconds, watchedSecondsMin)
  const buy = async () => mustAllSucceed('real purchases', await runAtRate({ ...load, seconds }))
  // Each key calls again as soon as it has its answer, mostly a 429.
  const testing = purchases(testers, 'Telecel')
  let calls = 0
  const flood = {
    target,
    connections: testKeys,
    request(index: number) {
      calls += 1
      return testing(index)
    },
  }
  await buy()
  const [alone, flooded]: [LoadResult[], LoadResult[]] = [[], []]
  for (let round = 0; round < (bench.options.isQuick ? 1 : bench.options.rounds); round += 1) {
    alone.push(await buy())
    flooded.push(await beside(flood, buy))
  }
  const of = (results: readonly LoadResult[], read: (result: LoadResult) => number) => median(results.map(read))
  return {
    p50: [of(flooded, ({ p50 }) => p50), of(alone, ({ p50 }) => p50)],
    callsPerSecond: calls / (seconds * flooded.length),
    p99: [of(flooded, ({ p99 }) => p99), of(alone, ({ p99 }) => p99)],
  } as const
}

export const testKeysPart: Part = {
  name: 'test-keys',
  measures: 'real purchases beside 20 test keys that call as fast as they can, by `makola start`',
  async run(bench) {
    await bench.stopServers()
    await setOpenOrdersAside(bench.db)
    const port = await findFreePort('127.0.0.1')
    const platform = await startPlatform(bench.dataDir, { PORT: String(port), TEST_MODE: 'on' })
    const url = addressOf(bench.ownerUrl, testName)
    const db = connectDatabase({ url, poolSize: 1, applicationName: 'makola bench' })
    try {
      const target = { origin: `https://localhost:${port}`, ca: await readAuthority(bench.dataDir) }
      const { p50, p99, callsPerSecond } = await measure(bench, target, await openTestKeys(db, target))
      const inWords = `beside ${Math.round(callsPerSecond)} calls/s: ${milliseconds(...p50)}, p99 ${p99[0].toFixed(2)} ms against ${p99[1].toFixed(2)} ms`
      bench.say(`  ${perSecond} purchases/s of real keys, ${testKeys} test keys, ${inWords}`)
      return { ratios: [atMost('20 test keys flood: p50 of real purchases ÷ alone', p50[0] / p50[1], 2, inWords)] }
    } finally {
      await platform.stop()
      await db.destroy()
      await sql`drop database if exists ${sql.id(testName)}`.execute(bench.db)
    }
  },
}
