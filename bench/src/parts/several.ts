import { findFreePort } from '../../../server/src/platform/find-free-port.ts'
import type { Bench } from '../bench-servers.ts'
import { type LoadLength, type LoadResult, runAtFullSpeed } from '../load/load.ts'
import { purchases, type RequestMaker } from '../load/requests.ts'
import { type Contender, connections, measureInTurn, type Results } from '../measure/measure-in-turn.ts'
import { describeCosts, sumCosts } from '../measure/processor-time.ts'
import { atLeast, atMost, microseconds, rates } from '../report/make-ratio.ts'
import type { Cost, Ratio } from '../report/report.ts'
import { type MeasuredServer, startServer, withRoles } from '../start-servers.ts'
import { patient, placeBacklog, watchBacklog } from './drain.ts'
import type { Part } from './part.ts'

const counts = [1, 2, 4] as const

const nameOf = (what: string, count: number, role: 'API' | 'worker') => `${what}, ${count} ${role}${count === 1 ? '' : 's'}`
const [many, one, drained] = ['1,000 wallets', 'one wallet', 'drain']

/** Divides the connections among the servers. */
async function askAll(servers: readonly MeasuredServer[], request: RequestMaker, length: LoadLength): Promise<LoadResult> {
  const { onMeasured, requests = Number.POSITIVE_INFINITY, ...rest } = length
  const results = await Promise.all(
    servers.map(({ target }, index) =>
      runAtFullSpeed({
        target,
        request,
        connections: connections / servers.length,
        requests: requests / servers.length,
        ...rest,
        // Each server has its own lead-in. The end of the first server's lead-in begins the counting for all.
        ...(onMeasured && { onMeasured: index === 0 ? onMeasured : () => undefined }),
      }),
    ),
  )
  const sum = (read: (result: LoadResult) => number) => results.reduce((total, result) => total + read(result), 0)
  const statuses = results.flatMap((result) => Object.entries(result.statuses))
  return {
    answered: sum(({ answered }) => answered),
    perSecond: sum(({ perSecond }) => perSecond),
    p50: sum(({ p50 }) => p50) / results.length,
    p99: Math.max(...results.map(({ p99 }) => p99)),
    statuses: Object.fromEntries(statuses),
  }
}

async function sellByAll(bench: Bench): Promise<Results> {
  const first = await bench.server('candidate')
  const others = await Promise.all(
    Array.from({ length: Math.max(...counts) - 1 }, () => startServer('candidate', bench.dataDir, bench.databaseUrl)),
  )
  const servers = [first, ...others]
  const selling = (what: string, request: RequestMaker) =>
    counts.map((count): Contender => {
      const some = servers.slice(0, count)
      return {
        name: nameOf(what, count, 'API'),
        load: (length) => askAll(some, request, length),
        processes: { API: some.map(({ pid }) => pid) },
      }
    })
  try {
    const contenders = [...selling(many, purchases(bench.accounts)), ...selling(one, purchases(bench.accounts.slice(0, 1)))]
    return await measureInTurn(bench, contenders)
  } finally {
    await Promise.all(others.map((server) => server.stop()))
  }
}

/** Measures how fast this many workers drain a backlog. */
async function drainByAll(bench: Bench, count: number): Promise<Cost> {
  const backlog = await placeBacklog(bench)
  await bench.stopServers()
  const port = String(await findFreePort('127.0.0.1'))
  return withRoles(async (start) => {
    const simulator = await start('simulator', bench.dataDir, { SIMULATOR_CALLBACK_BASE_URL: `https://localhost:${port}` })
    const api = await start('api', bench.dataDir, { PORT: port })
    const worker = await Promise.all(Array.from({ length: count }, () => start('worker', bench.dataDir, patient)))
    const found = await watchBacklog(bench, backlog, { API: api, worker, simulator })
    const name = nameOf(drained, count, 'worker')
    bench.say(`  ${name}: ${Math.round(found.perSecond)} orders/s; ${describeCosts(found.costs)}`)
    return { name, ...found }
  })
}

/** Compares the cost of an order with several processes and with one. Where one already uses all cores, the rate cannot grow. */
function ratiosOf(costs: readonly Cost[]): Ratio[] {
  const of = (name: string) => ({ perSecond: Number.NaN, costs: {}, ...costs.find((cost) => cost.name === name) })
  return [many, one, drained].flatMap((what) => {
    const role = what === drained ? 'worker' : 'API'
    const base = of(nameOf(what, 1, role))
    return counts.slice(1).flatMap((count) => {
      const name = nameOf(what, count, role)
      const ours = of(name)
      const time = (cost: typeof base) => sumCosts(cost.costs, [role, 'PostgreSQL'])
      return [
        atLeast(`${name} ÷ 1`, ours.perSecond / base.perSecond, 0.9, rates(ours.perSecond, base.perSecond)),
        atMost(`${name} ÷ 1, processor time`, time(ours) / time(base), 1.3, microseconds(time(ours), time(base))),
      ]
    })
  })
}

export const severalPart: Part = {
  name: 'several',
  measures: 'sales by 1, 2 and 4 APIs, to many wallets and to one, and a backlog drained by 1, 2 and 4 workers',
  isForFullRunOnly: true,
  async run(bench) {
    const sold = await sellByAll(bench)
    const drains: Cost[] = []
    for (const count of counts) drains.push(await drainByAll(bench, count))
    const costs = [...sold.costs, ...drains]
    return { ratios: ratiosOf(costs), costs, figures: sold.figures }
  },
}
