import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { allAuditChecks } from '../../server/src/all-audit-checks.ts'
import { runAudit } from '../../server/src/money/audit.ts'
import { connectDatabase, type Db } from '../../server/src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../../server/src/platform/database/embedded-postgres.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { runAtFullSpeed, runAtRate } from './load/load.ts'
import { type Contender, measureInTurn, mustAllSucceed, requestsOf } from './measure.ts'
import { campaignRatios, measureCampaign } from './measure-campaign.ts'
import { measureDrain } from './measure-drain.ts'
import { measureReports, reportRatios } from './measure-reports.ts'
import { openShop, type Shop } from './open-shop.ts'
import { type OtherFigures, otherRatios, pathRatios } from './report/ratios.ts'
import { type Plot, printReport, type Report, renderReport } from './report/report.ts'
import { findSimulator, type MeasuredServer, measureStart, type Role, startRole, startServer } from './start-servers.ts'
import { storeOrders } from './store-orders.ts'

const { values: given } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    stored: { type: 'string', default: '200000' },
    out: { type: 'string', default: 'bench/results' },
    only: { type: 'string', default: '' },
  },
})
const options = { seconds: Number(given.seconds), rounds: Number(given.rounds), stored: Number(given.stored) }

const accountCount = 1_000
const connections = 64
const connectionSteps = [1, 16, 64, 256]

const say = (text: string) => process.stderr.write(`${text}\n`)

type Bench = {
  readonly db: Db
  readonly shop: Shop
  readonly candidate: MeasuredServer
  readonly textbook: MeasuredServer
  readonly simulator: Role
  readonly dataDir: string
}

/** The figures count only when the audit finds nothing. */
async function audit(db: Db, after: string): Promise<void> {
  const report = await runAudit(db, allAuditChecks, { isFull: true })
  if (!report.ok) throw new Error(`after ${after} the audit found ${JSON.stringify(report.checks)}`)
  say(`  audit clean after ${after}`)
}

async function measurePaths({ shop, candidate, textbook }: Bench): Promise<Map<string, number>> {
  const requests = requestsOf(shop)
  const others = requestsOf(shop)
  mustAllSucceed(
    'first order',
    await runAtFullSpeed({ target: candidate.target, connections: 1, seconds: 0.001, request: () => requests.first }),
  )
  const at = (target: MeasuredServer['target'], request: Contender['load']['request']) => ({ target, connections, request })
  const contenders: Contender[] = [
    { name: 'empty route', load: at(candidate.target, requests.empty) },
    { name: 'purchase, 1,000 wallets', load: at(candidate.target, requests.spread) },
    { name: 'purchase, one wallet', load: at(candidate.target, requestsOf(shop).hot) },
    { name: 'textbook, 1,000 wallets', load: at(textbook.target, others.spread) },
    { name: 'textbook, one wallet', load: at(textbook.target, requestsOf(shop).hot) },
    { name: 'purchase, unknown numbers', load: at(candidate.target, requestsOf(shop).unknown) },
    { name: 'bulk of 100', load: at(candidate.target, requestsOf(shop).bulk) },
    { name: 'GET /packages', load: at(candidate.target, requests.packages) },
    { name: 'GET /orders/{reference}', load: at(candidate.target, requests.order(requests.firstReference)) },
  ]
  const results = await measureInTurn(contenders, {
    ...options,
    onRun: (name, result) =>
      say(`  ${name}: ${Math.round(result.perSecond)}/s, p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms`),
  })
  return new Map([...results].map(([name, result]) => [name, result.perSecond]))
}

async function measureAlone({ shop, candidate, textbook }: Bench): Promise<Map<string, number>> {
  const results = await measureInTurn(
    [
      { name: 'purchase alone', load: { target: candidate.target, connections: 1, request: requestsOf(shop).spread } },
      { name: 'textbook alone', load: { target: textbook.target, connections: 1, request: requestsOf(shop).spread } },
    ],
    { ...options, onRun: (name, result) => say(`  ${name}: p50 ${result.p50.toFixed(2)} ms`) },
  )
  return new Map([...results].map(([name, result]) => [name, result.p50]))
}

async function sweepConnections({ shop, candidate, textbook }: Bench): Promise<{ throughput: Plot; latency: Plot }> {
  const ways = [
    { name: 'empty route', target: candidate.target, request: requestsOf(shop).empty },
    { name: 'purchase', target: candidate.target, request: requestsOf(shop).spread },
    { name: 'purchase, one wallet', target: candidate.target, request: requestsOf(shop).hot },
    { name: 'textbook', target: textbook.target, request: requestsOf(shop).spread },
  ]
  const throughput = ways.map(({ name }) => ({ name, points: [] as [number, number][] }))
  const latency = ['p50', 'p99'].map((name) => ({ name: `purchase ${name}`, points: [] as [number, number][] }))
  for (const step of connectionSteps) {
    for (const [index, way] of ways.entries()) {
      const result = mustAllSucceed(way.name, await runAtFullSpeed({ ...way, connections: step, seconds: options.seconds }))
      throughput[index]?.points.push([step, result.perSecond])
      if (way.name !== 'purchase') continue
      // Half of its full speed, to measure latency under a load that it can bear.
      const steady = await runAtRate({
        ...way,
        request: requestsOf(shop).spread,
        connections: step,
        seconds: options.seconds,
        perSecond: result.perSecond / 2,
      })
      latency[0]?.points.push([step, steady.p50])
      latency[1]?.points.push([step, steady.p99])
    }
    say(`  ${step} connections measured`)
  }
  return {
    throughput: {
      title: 'Throughput against connections',
      xLabel: 'connections',
      yLabel: 'requests per second',
      series: throughput,
    },
    latency: {
      title: 'Latency at half the throughput, constant rate',
      xLabel: 'connections',
      yLabel: 'milliseconds',
      series: latency,
    },
  }
}

async function measureWithHistory({ db, shop, candidate }: Bench): Promise<{ before: number; after: number; plot: Plot }> {
  const points: [number, number][] = []
  const measure = async () => {
    const load = { target: candidate.target, connections, request: requestsOf(shop).spread }
    const results = await measureInTurn([{ name: 'purchase', load }], { ...options, onRun: () => undefined })
    return results.get('purchase')?.perSecond ?? Number.NaN
  }
  const stored = async () => (await sql<{ count: number }>`select count(*) as count from orders`.execute(db)).rows[0]?.count ?? 0
  const before = await measure()
  points.push([await stored(), before])
  await storeOrders(db, options.stored, (done) => say(`  ${done} orders of history stored`))
  const after = await measure()
  points.push([await stored(), after])
  const series = [{ name: 'purchase', points }]
  return {
    before,
    after,
    plot: { title: 'Throughput against stored orders', xLabel: 'orders stored', yLabel: 'purchases per second', series },
  }
}

type Measured = OtherFigures & {
  readonly paths: ReadonlyMap<string, number>
  readonly sweep: Awaited<ReturnType<typeof sweepConnections>>
  readonly history: Awaited<ReturnType<typeof measureWithHistory>>
  readonly drain: Awaited<ReturnType<typeof measureDrain>>
}

async function measureShop(bench: Bench): Promise<Measured> {
  say('Paths at 64 connections')
  const paths = await measurePaths(bench)
  await audit(bench.db, 'the paths')
  say('One request at a time')
  const alone = await measureAlone(bench)
  say('Sweep over connections')
  const sweep = await sweepConnections(bench)
  const memoryMegabytes = (await bench.candidate.readMemory()) / 1_048_576
  say('History')
  const history = await measureWithHistory(bench)
  await audit(bench.db, 'the history')
  await bench.textbook.stop()
  await bench.candidate.stop()
  await bench.simulator.stop()
  say('Drain')
  const drain = await measureDrain(bench.db, bench.dataDir, options.seconds * 2, say)
  await audit(bench.db, 'the drain')
  say('Start')
  return { paths, alone, sweep, memoryMegabytes, history, drain, startMilliseconds: await measureStart(bench.dataDir) }
}

async function measureAll(bench: Bench): Promise<Report> {
  const startedAt = new Date().toISOString()
  // Campaigns come first, because later there are open orders, which would keep the worker busy.
  say('Campaigns')
  const campaign = await measureCampaign({ ...bench, target: bench.candidate.target }, options.rounds, say)
  await audit(bench.db, 'the campaigns')
  if (given.only === 'sms') {
    await Promise.all([bench.textbook, bench.candidate, bench.simulator].map((each) => each.stop()))
    const machine = await describeMachine(bench.db)
    return { startedAt, machine, options, ratios: campaignRatios(campaign), figures: campaign, plots: [] }
  }
  const measured = await measureShop(bench)
  const { paths, drain, sweep, history } = measured
  return {
    startedAt,
    machine: await describeMachine(bench.db),
    options: { ...options, connections, accounts: accountCount },
    ratios: [...pathRatios(paths), ...otherRatios(measured, options.stored), ...campaignRatios(campaign)],
    figures: { ...Object.fromEntries(paths), ...drain, ...campaign },
    plots: [sweep.throughput, sweep.latency, history.plot],
  }
}

async function describeMachine(db: Db): Promise<Record<string, string>> {
  const { rows } = await sql<{ version: string; fsync: string; commit: string }>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit`.execute(db)
  const [row] = rows
  return {
    processor: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    node: process.version,
    postgresql: `${row?.version}, fsync ${row?.fsync}, synchronous_commit ${row?.commit}`,
  }
}

async function measureServers(db: Db, applicationUrl: string, dataDir: string, shop: Shop): Promise<Report> {
  const simulator = await startRole('simulator', dataDir)
  await findSimulator(dataDir)
  const candidate = await startServer('candidate', dataDir, applicationUrl)
  const textbook = await startServer('textbook', dataDir, applicationUrl)
  return measureAll({ db, shop, candidate, textbook, simulator, dataDir })
}

/** Measured with the database alone, before a worker adds figures of its own. */
async function withReports(db: Db, measureRest: () => Promise<Report>): Promise<Report> {
  if (given.only === 'sms') return measureRest()
  say('Reports')
  const startedAt = new Date().toISOString()
  const figures = await measureReports(db, options.rounds, say)
  const rest =
    given.only === 'report'
      ? { startedAt, machine: await describeMachine(db), options, ratios: [], figures: {}, plots: [] }
      : await measureRest()
  const milliseconds = [...figures.milliseconds].map(([by, each]) => [`report by ${by}, ms`, each] as const)
  return {
    ...rest,
    ratios: [...rest.ratios, ...reportRatios(figures)],
    figures: { ...rest.figures, ...Object.fromEntries(milliseconds) },
  }
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'makola-bench-'))
  const log = { info: () => undefined, warn: say }
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const owner = connectDatabase({ url: postgres.ownerUrl, poolSize: 2, applicationName: 'makola bench' })
  try {
    await migrate(owner)
    const shop = await openShop(owner, accountCount)
    const report = await withReports(owner, () => measureServers(owner, postgres.applicationUrl, dataDir, shop))
    const folder = resolve(given.out)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`)
    await writeFile(join(folder, 'bench.html'), renderReport(report))
    process.stdout.write(`${printReport(report)}\n\nThe plots are in ${join(given.out, 'bench.html')}.\n`)
  } finally {
    await owner.destroy()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

await main()
