import { sql } from 'kysely'
import { addDays, dayInAccra } from '../../../server/src/reports/period.ts'
import { groupings, readSales } from '../../../server/src/reports/read-sales.ts'
import type { Bench } from '../bench-servers.ts'
import { mustAllSucceed, runAtFullSpeed } from '../load/load.ts'
import { orderReads, purchases } from '../load/requests.ts'
import { finishBackgroundWork } from '../measure/finish-background-work.ts'
import { listStoredMonths, measureArchive } from '../measure/measure-archive.ts'
import { createLoad, measureInTurn } from '../measure/measure-in-turn.ts'
import { measureLists } from '../measure/measure-lists.ts'
import { median } from '../measure/median.ts'
import { countDailySums, proveHistory } from '../measure/prove-history.ts'
import { type EmptyShop, openEmptyShop } from '../open-empty-shop.ts'
import { createShopKeys, type ShopAccount } from '../open-shop.ts'
import { atLeast, below, milliseconds, rates } from '../report/make-ratio.ts'
import type { Plot, Ratio } from '../report/report.ts'
import { type MeasuredServer, startPlatform } from '../start-servers.ts'
import { type StoredOrders, storeOrders } from '../store-orders.ts'
import { measureRound } from './drain.ts'
import type { Part } from './part.ts'

const yearMilliseconds = 365 * 86_400_000
const years = 3

/** Number of old orders that are read in turn. The "empty" database gets as many orders, so that its lists have a page too. */
const sampleOrders = 1_000

const secondsSince = (beganAt: number) => (performance.now() - beganAt) / 1_000

/** Starts the whole platform, as often as there are rounds. @returns the median of its milliseconds to the first answer */
async function measureRestart(bench: Bench): Promise<number> {
  await bench.stopServers()
  const taken: number[] = []
  for (let round = 0; round < bench.options.rounds; round += 1) {
    const platform = await startPlatform(bench.dataDir)
    taken.push(platform.startMilliseconds)
    await platform.stop()
  }
  return median(taken)
}

/**
 * Figures of the platform's own processes. They serve one database only, so they are measured before and after it gets its
 * history, and not beside the empty database.
 */
type BesideHistory = { readonly drainPerSecond: number; readonly restartMilliseconds: number }

async function measureProcesses(bench: Bench): Promise<BesideHistory> {
  const { ours } = await measureRound(bench)
  return { drainPerSecond: ours.perSecond, restartMilliseconds: await measureRestart(bench) }
}

/** Stores the orders of one year, which begins at `startsAt` (in milliseconds since 1970). */
async function storeYear(bench: Bench, startsAt: number, count: number): Promise<StoredOrders & { account: ShopAccount }> {
  const times = { firstAt: startsAt, apartMilliseconds: yearMilliseconds / count }
  const stored = await storeOrders(bench.db, count, (done) => bench.say(`  ${done} of ${count} orders of a year stored`), times)
  const [account] = await createShopKeys(bench.db, [stored.accountId])
  if (account === undefined) throw new Error('the history has no account')
  return { ...stored, account }
}

/** Picks `sampleOrders` references, spread evenly over the orders of the year. */
const spreadReferences = ({ referenceOf }: StoredOrders, count: number) =>
  Array.from({ length: sampleOrders }, (_, index) => referenceOf(Math.floor((index * count) / sampleOrders)))

/** Buys orders in the empty database, for its look-ups and lists. */
async function placeSample({ server, accounts: [account] }: EmptyShop): Promise<{ account: ShopAccount; references: string[] }> {
  if (account === undefined) throw new Error('the empty database has no account')
  const buy = purchases([account])
  const requests = Array.from({ length: sampleOrders }, (_, index) => buy(index))
  const load = { target: server.target, connections: 16, seconds: Number.POSITIVE_INFINITY, requests: sampleOrders }
  mustAllSucceed('the sample', await runAtFullSpeed({ ...load, request: (index) => requests[index] ?? buy(index) }))
  return { account, references: requests.map(({ body }) => (body as { reference: string }).reference) }
}

type Against = { readonly purchase: Ratio; readonly lookUp: Ratio }

/** Measures purchases and look-ups of the history's oldest orders, in turn with the same in the empty database. */
async function measureRequests(
  bench: Bench,
  {
    empty,
    sample,
    old,
    stored,
  }: {
    empty: EmptyShop
    sample: { account: ShopAccount; references: string[] }
    old: { account: ShopAccount; references: string[] }
    stored: number
  },
): Promise<Against> {
  const full: MeasuredServer = await bench.server('candidate')
  const results = await measureInTurn(bench, [
    { name: 'purchase, empty', ...createLoad(empty.server, purchases(empty.accounts)) },
    { name: 'purchase, history', ...createLoad(full, purchases(bench.accounts)) },
    { name: 'look-up, empty', ...createLoad(empty.server, orderReads(sample.account, sample.references)) },
    { name: 'look-up, history', ...createLoad(full, orderReads(old.account, old.references)) },
  ])
  const against = (what: string) => {
    const [ours, base] = [`${what}, history`, `${what}, empty`]
    const name = `${what} beside ${stored.toLocaleString('en-US')} orders ÷ none`
    return atLeast(name, results.ratioOf(ours, base), 0.9, rates(results.of(ours).perSecond, results.of(base).perSecond))
  }
  return { purchase: against('purchase'), lookUp: against('look-up') }
}

/** Counts the daily sums from the rows, and reads the report of a year in every grouping. */
async function measureReport(bench: Bench): Promise<{ ratio: Ratio; countedSeconds: number }> {
  const { db, options } = bench
  const countedSeconds = await countDailySums(bench)
  const to = dayInAccra(new Date())
  const times: [number, string][] = []
  for (const by of groupings) {
    const taken: number[] = []
    for (let read = 0; read < 5; read += 1) {
      const beganAt = performance.now()
      const { total } = await readSales(db, { from: addDays(to, -364), to }, by)
      if ((total?.orders ?? 0) < (options.stored / years) * 0.9)
        throw new Error(`the report by ${by} lacks orders of the history`)
      taken.push(performance.now() - beganAt)
    }
    times.push([median(taken), by])
  }
  const [slowest = [0, '']] = times.toSorted(([a], [b]) => b - a)
  const ratio = below('report of a year beside the history, s', slowest[0] / 1_000, 2, `by ${slowest[1]}, the slowest`)
  return { ratio, countedSeconds }
}

/** Seals the history, proves it once by a full audit, and then audits a day, as each night does. */
async function measureAudit(bench: Bench): Promise<Record<'seal, s' | 'full audit, s' | 'audit of a day, s', number>> {
  const { sealSeconds, auditSeconds, audit } = await proveHistory(bench)
  await placeDay(bench)
  const day = await audit({ isFull: false })
  bench.say(`  audit of a day ${day.toFixed(1)} s`)
  return { 'seal, s': sealSeconds, 'full audit, s': auditSeconds, 'audit of a day, s': day }
}

/** Buys as many orders as the history has on a day. */
async function placeDay(bench: Bench): Promise<void> {
  const { target } = await bench.server('candidate')
  const requests = Math.max(sampleOrders, Math.round(bench.options.stored / (years * 365)))
  const load = { target, connections: 16, seconds: Number.POSITIVE_INFINITY, requests, request: purchases(bench.accounts) }
  mustAllSucceed('the orders of a day', await runAtFullSpeed(load))
}

const plotOf = (points: readonly { stored: number; against: Against }[]): Plot => ({
  title: 'Speed beside stored orders ÷ none',
  xLabel: 'orders stored',
  yLabel: 'ratio',
  series: [
    { name: 'purchase', points: [[0, 1], ...points.map(({ stored, against }) => [stored, against.purchase.value] as const)] },
    {
      name: 'look-up of an old order',
      points: [[0, 1], ...points.map(({ stored, against }) => [stored, against.lookUp.value] as const)],
    },
  ],
})

/** Stores the history year by year, and measures requests after each. */
async function growYearByYear(bench: Bench, empty: EmptyShop, sample: { account: ShopAccount; references: string[] }) {
  const perYear = Math.ceil(bench.options.stored / years)
  const startsAt = Date.now() - years * yearMilliseconds
  const points: { stored: number; against: Against }[] = []
  let first: { account: ShopAccount; references: string[] } | undefined
  for (let year = 0; year < years; year += 1) {
    const history = await storeYear(bench, startsAt + year * yearMilliseconds, perYear)
    first ??= { account: history.account, references: spreadReferences(history, perYear) }
    const stored = (year + 1) * perYear
    points.push({ stored, against: await measureRequests(bench, { empty, sample, old: first, stored }) })
  }
  if (first === undefined) throw new Error('no year was stored')
  return { points, account: first.account }
}

/** Measures everything that three years of orders may slow, with and without them. */
export const growthPart: Part = {
  name: 'growth',
  measures: '36 months of orders: all that may become slower with them, and putting a month away',
  isForFullRunOnly: true,
  async run(bench) {
    const before = await measureProcesses(bench)
    // Starts the simulator too, which the server of the empty database needs.
    await bench.server('candidate')
    const empty = await openEmptyShop(bench)
    const sample = await placeSample(empty)
    const beganAt = performance.now()
    const { points, account } = await growYearByYear(bench, empty, sample)
    const lists = await measureLists(bench, empty, { full: account.id, empty: sample.account.id })
    await empty.close()
    const { ratio: report, countedSeconds } = await measureReport(bench)
    const audit = await measureAudit(bench)
    const archive = await measureArchive(bench, (await listStoredMonths(bench.db))[1])
    const backgroundSeconds = await finishBackgroundWork(bench)
    const after = await measureProcesses(bench)
    const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(bench.db)
    const last = points.at(-1)?.against
    return {
      ratios: [
        ...(last ? [last.purchase, last.lookUp] : []),
        ...lists,
        report,
        archive.ratio,
        atLeast(
          'drain beside the history ÷ without',
          after.drainPerSecond / before.drainPerSecond,
          0.9,
          rates(after.drainPerSecond, before.drainPerSecond),
        ),
        atLeast(
          'start beside the history, speed ÷ without',
          before.restartMilliseconds / after.restartMilliseconds,
          0.9,
          milliseconds(after.restartMilliseconds, before.restartMilliseconds),
        ),
        below(
          'audit of a day beside the history, minutes',
          audit['audit of a day, s'] / 60,
          10,
          `everything: ${Math.ceil(audit['full audit, s'] / 60)} minutes`,
        ),
      ],
      figures: {
        ...Object.fromEntries(Object.entries(audit).map(([name, seconds]) => [`history: ${name}`, seconds])),
        'history: daily sums counted, s': countedSeconds,
        'history: forgotten, sealed and summed up, s': backgroundSeconds,
        'history: month put away, s': archive.seconds,
        'history: month put away, orders': archive.orders,
        'history: stored and measured, s': secondsSince(beganAt),
        'history: database, GB': (rows[0]?.bytes ?? 0) / 1024 ** 3,
      },
      plots: [plotOf(points)],
    }
  },
}
