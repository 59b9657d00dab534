import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { newId } from '../../../server/src/platform/database/new-id.ts'
import { findFreePort } from '../../../server/src/platform/find-free-port.ts'
import type { BareDrain, BareDrained } from '../baselines/bare-drain.ts'
import { type Bench, setOpenOrdersAside } from '../bench-servers.ts'
import { mustAllSucceed, runAtFullSpeed } from '../load/load.ts'
import { bulkPurchases, ordersInBulk } from '../load/requests.ts'
import { median, medianCosts } from '../measure/median.ts'
import { type Costs, countProcessorTime, describeCosts, type Processes, sumCosts } from '../measure/processor-time.ts'
import { atLeast, atMost, microseconds, rates } from '../report/make-ratio.ts'
import { findSimulator, withRoles } from '../start-servers.ts'
import type { Part } from './part.ts'

/** Concurrent calls of the worker (its supplier's slots) and of the bare loop. */
const concurrency = 64

const backlogOrders = { full: 30_000, quick: 8_000 }

/**
 * The measurement ends when this share of the backlog has ended: the last orders only wait for the second that a delivery
 * takes.
 */
const measuredShare = 0.9

/**
 * The time limit of a call to a real supplier. With the simulator's usual second, a slow moment can pause the route, and
 * orders then go to another supplier.
 */
export const patient = { SIMULATOR_CALL_SECONDS: '30' }

/** A simulator that has just started is slower. The bare loop runs first and would warm it up for our worker. */
const warmUpOrders = 2_000

/** A backlog that takes longer than this is stuck. */
const patienceMilliseconds = 120_000

/** Interval of the checks, which cost PostgreSQL some milliseconds. */
const pollMilliseconds = 200

/** Orders that the worker will find: those from an id on, because ids grow with time. */
type Backlog = { readonly firstId: string; readonly count: number }

async function countOpen({ db }: Bench, firstId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from open_orders where order_id >= ${firstId}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Buys the orders that the worker will find, and hides all other open orders. */
export async function placeBacklog(bench: Bench): Promise<Backlog> {
  await sql`update suppliers set slots = ${concurrency}`.execute(bench.db)
  await setOpenOrdersAside(bench.db)
  const { target } = await bench.server('candidate')
  const firstId = newId()
  const requests = backlogOrders[bench.options.isQuick ? 'quick' : 'full'] / ordersInBulk
  const request = bulkPurchases(bench.accounts)
  const load = { target, connections: 16, seconds: Number.POSITIVE_INFINITY, requests, request }
  mustAllSucceed('the backlog', await runAtFullSpeed(load))
  await sql`vacuum analyze open_orders`.execute(bench.db)
  return { firstId, count: await countOpen(bench, firstId) }
}

type Drained = { readonly perSecond: number; readonly costs: Costs }

/** Waits until the backlog is done. Rate and costs are those of its measured share. */
export async function watchBacklog(bench: Bench, { firstId, count }: Backlog, pids: Processes): Promise<Drained> {
  const stopCounting = countProcessorTime({ ...bench.processes(), ...pids })
  const startedAt = performance.now()
  let drained: Drained | undefined
  for (;;) {
    await sleep(pollMilliseconds)
    const ended = count - (await countOpen(bench, firstId))
    const milliseconds = performance.now() - startedAt
    if (milliseconds > patienceMilliseconds) throw new Error(`only ${ended} of ${count} orders ended`)
    if (drained === undefined && ended >= count * measuredShare)
      drained = { perSecond: (ended * 1_000) / milliseconds, costs: stopCounting(ended) }
    if (drained !== undefined && ended === count) return drained
  }
}

/** Buys and looks up the same number of orders in a process that stores nothing, instead of API and worker. */
async function runBareDrain(bench: Bench, orders: number, simulator: number, callbackPort: number): Promise<Drained> {
  const { url: simulatorUrl } = await findSimulator(bench.dataDir)
  const child = fork(fileURLToPath(new URL('../baselines/bare-drain.ts', import.meta.url)))
  const exited = once(child, 'exit')
  const message = once(child, 'message') as Promise<[BareDrained]>
  const asked: BareDrain = { simulatorUrl, dataDir: bench.dataDir, callbackPort, orders, measuredShare, concurrency }
  const stopCounting = countProcessorTime({ simulator, 'load generator': child.pid ?? 0 })
  child.send(asked)
  const [{ milliseconds, ended }] = await message
  const costs = stopCounting(orders)
  await exited
  return { perSecond: (ended * 1_000) / milliseconds, costs }
}

export type Round = { readonly ours: Drained; readonly bare: Drained }

/**
 * Runs a worker on a backlog and counts the orders that end per second, from the moment it reports ready. The simulator
 * delivers after a second and calls back to an API. Before that, the bare loop does the same with the same simulator.
 */
export async function measureRound(bench: Bench): Promise<Round> {
  const backlog = await placeBacklog(bench)
  await bench.stopServers()
  const freePort = await findFreePort('127.0.0.1')
  const port = String(freePort)
  return withRoles(async (start) => {
    const simulator = await start('simulator', bench.dataDir, { SIMULATOR_CALLBACK_BASE_URL: `https://localhost:${port}` })
    await runBareDrain(bench, warmUpOrders, simulator, freePort)
    const bare = await runBareDrain(bench, backlog.count, simulator, freePort)
    bench.say(`  bare loop: ${Math.round(bare.perSecond)} orders/s of ${backlog.count}; ${describeCosts(bare.costs)}`)
    const api = await start('api', bench.dataDir, { PORT: port })
    const worker = await start('worker', bench.dataDir, patient)
    const ours = await watchBacklog(bench, backlog, { API: api, worker, simulator })
    bench.say(`  ours: ${Math.round(ours.perSecond)} orders/s of ${backlog.count}; ${describeCosts(ours.costs)}`)
    return { ours, bare }
  })
}

function medianOf(rounds: readonly Drained[]): Drained {
  return { perSecond: median(rounds.map((round) => round.perSecond)), costs: medianCosts(rounds.map((round) => round.costs)) }
}

export const drainPart: Part = {
  name: 'drain',
  measures: 'a worker on a backlog of orders, beside a bare loop of the same calls',
  async run(bench) {
    const rounds: Round[] = []
    const count = bench.options.isQuick ? 1 : bench.options.rounds
    while (rounds.length < count) rounds.push(await measureRound(bench))
    const [ours, bare] = [medianOf(rounds.map((round) => round.ours)), medianOf(rounds.map((round) => round.bare))]
    const platform = sumCosts(ours.costs, ['worker', 'PostgreSQL', 'API'])
    const simulator = sumCosts(ours.costs, ['simulator'])
    return {
      ratios: [
        atMost('drain, ours ÷ simulator, processor time', platform / simulator, 1.5, microseconds(platform, simulator)),
        atLeast('drain ÷ bare loop', ours.perSecond / bare.perSecond, 0.5, rates(ours.perSecond, bare.perSecond)),
      ],
      costs: [
        { name: 'drain, each order', ...ours },
        { name: 'bare loop, each order', ...bare },
      ],
      figures: { 'drained orders/s': ours.perSecond, 'bare loop, orders/s': bare.perSecond },
    }
  },
}
