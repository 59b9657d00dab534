import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Bench, setOpenOrdersAside } from '../bench-ground.ts'
import { mustAllSucceed, runAtFullSpeed } from '../load/load.ts'
import { bulkPurchases, ordersInBulk } from '../load/requests.ts'
import { type Costs, countProcessorTime, describeCosts, sumCosts } from '../measure/processor-time.ts'
import { atMost, microseconds } from '../report/make-ratio.ts'
import { findFreePort, findSimulator, type Role, startRole } from '../start-servers.ts'
import type { Part } from './part.ts'

/** Calls under way at once, for the worker (its supplier's slots) and for the empty calls. */
const concurrency = 64

/** The route of the orders that are drained. */
const route = 'datamart/data/MTN'

/** How many orders wait for the worker. */
const backlogOrders = { full: 30_000, quick: 12_000 }

/** The clock stops when this part of the backlog has ended: the last orders only wait for the second that a delivery takes. */
const measuredShare = 0.9

/** A backlog that takes longer than this is stuck. */
const patienceMilliseconds = 120_000

const lookMilliseconds = 100

async function countWaiting({ db }: Bench): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from open_orders where route = ${route} and next_step_at < 'infinity'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Buys the orders that the worker will find. All other open orders are put out of its reach. */
async function placeBacklog(bench: Bench): Promise<number> {
  await sql`update suppliers set slots = ${concurrency}`.execute(bench.db)
  await setOpenOrdersAside(bench.db)
  const { target } = await bench.server('candidate')
  const requests = backlogOrders[bench.options.isQuick ? 'quick' : 'full'] / ordersInBulk
  const request = bulkPurchases(bench.accounts)
  const load = { target, connections: 16, seconds: Number.POSITIVE_INFINITY, requests, request }
  mustAllSucceed('the backlog', await runAtFullSpeed(load))
  await sql`vacuum analyze open_orders`.execute(bench.db)
  return countWaiting(bench)
}

type Drained = { readonly perSecond: number; readonly costs: Costs }

/** Waits until the backlog is done. Rate and costs are those of its measured share. */
async function watchBacklog(
  bench: Bench,
  backlog: number,
  pids: { API: number; worker: number; simulator: number },
): Promise<Drained> {
  const stopCounting = countProcessorTime({ ...bench.processes(), ...pids })
  const startedAt = performance.now()
  let drained: Drained | undefined
  for (;;) {
    await sleep(lookMilliseconds)
    const ended = backlog - (await countWaiting(bench))
    const milliseconds = performance.now() - startedAt
    if (milliseconds > patienceMilliseconds) throw new Error(`only ${ended} of ${backlog} orders ended`)
    if (drained === undefined && ended >= backlog * measuredShare)
      drained = { perSecond: (ended * 1_000) / milliseconds, costs: stopCounting(ended) }
    if (drained !== undefined && ended === backlog) return drained
  }
}

async function measureEmptyCalls(bench: Bench): Promise<number> {
  const { url } = await findSimulator(bench.dataDir)
  const load = { target: { origin: url }, connections: concurrency, seconds: bench.options.seconds }
  return mustAllSucceed('empty calls', await runAtFullSpeed({ ...load, request: () => ({ path: '/health', key: '' }) })).perSecond
}

/**
 * Lets a worker loose on a backlog of orders and counts those that end per second, from its start on. The simulator
 * delivers after a second and calls back to an API.
 */
async function drainBacklog(bench: Bench): Promise<Drained & { readonly emptyCallsPerSecond: number }> {
  const backlog = await placeBacklog(bench)
  await bench.stopServers()
  const port = String(await findFreePort())
  const roles: Role[] = []
  const start = async (...asked: Parameters<typeof startRole>) => {
    const role = await startRole(...asked)
    roles.push(role)
    return role.pid
  }
  try {
    const simulator = await start('simulator', bench.dataDir, { SIMULATOR_CALLBACK_BASE_URL: `https://localhost:${port}` })
    const emptyCallsPerSecond = await measureEmptyCalls(bench)
    const api = await start('api', bench.dataDir, { PORT: port })
    const worker = await start('worker', bench.dataDir)
    const drained = await watchBacklog(bench, backlog, { API: api, worker, simulator })
    bench.say(`  ${Math.round(drained.perSecond)} orders/s of ${backlog}; ${describeCosts(drained.costs)}`)
    return { ...drained, emptyCallsPerSecond }
  } finally {
    for (const role of roles.toReversed()) await role.stop()
  }
}

/** A worker on a backlog of orders, beside what the simulator alone takes for its calls. */
export const drainPart: Part = {
  name: 'drain',
  measures: 'a worker on a backlog of orders',
  async run(bench) {
    const { perSecond, costs, emptyCallsPerSecond } = await drainBacklog(bench)
    const ours = sumCosts(costs, ['worker', 'PostgreSQL', 'API'])
    const theirs = sumCosts(costs, ['simulator'])
    return {
      ratios: [
        atMost('drain: processor time of ours ÷ the simulator, per order', ours / theirs, 1.5, microseconds(ours, theirs)),
      ],
      costs: [{ name: 'drain of an order', perSecond, costs }],
      figures: { 'drained orders/s': perSecond, 'empty calls to the simulator/s': emptyCallsPerSecond },
    }
  },
}
