import process from 'node:process'
import type { Bench } from '../bench-servers.ts'
import { type LoadLength, type LoadOptions, type LoadResult, mustAllSucceed, runAtFullSpeed } from '../load/load.ts'
import type { Cost } from '../report/report.ts'
import type { MeasuredServer } from '../start-servers.ts'
import { median, medianCosts } from './median.ts'
import { type Costs, countProcessorTime, describeCosts, type Processes } from './processor-time.ts'

/** Connections, each with a request under way all the time, unless a part chooses another number. */
export const connections = 64

/** One measured case, by name. */
export type Contender = {
  readonly name: string
  readonly load: (length: LoadLength) => Promise<LoadResult>
  /** Processes whose time is counted besides PostgreSQL, the simulator and the load generator. */
  readonly processes: Processes
  /** Orders per request, where not one. */
  readonly orders?: number
  /** The longest warm-up, where longer than usual. */
  readonly warmUpSeconds?: number
}

/** Sends requests to one server, with a fixed number always under way. */
export function createLoad(
  { target, pid }: MeasuredServer,
  request: LoadOptions['request'],
  atOnce = connections,
): Pick<Contender, 'load' | 'processes'> {
  return {
    load: (length) => runAtFullSpeed({ target, connections: atOnce, request, ...length }),
    processes: { API: pid },
  }
}

/** Medians over the rounds. Rates and costs are per order or other request, times in milliseconds. */
export type Measured = {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly costs: Costs
}

/** Measurements by the name of the case. */
export type Results = {
  readonly of: (name: string) => Measured
  /**
   * Rate of the first case divided by that of the second: the median of the ratios of all rounds. Within a round the machine is
   * equally fast for both; minutes later it may be slower.
   */
  readonly ratioOf: (ours: string, base: string) => number
  readonly costs: readonly Cost[]
  readonly figures: Readonly<Record<string, number>>
}

type Run = LoadResult & { readonly costs: Costs }

async function measureOnce(bench: Bench, { name, load, processes, orders = 1 }: Contender, length: LoadLength): Promise<Run> {
  let stopCounting: (operations: number) => Costs = () => ({})
  const onMeasured = () => {
    stopCounting = countProcessorTime({ ...bench.processes(), 'load generator': process.pid, ...processes })
  }
  const result = mustAllSucceed(name, await load({ ...length, onMeasured }))
  return { ...result, perSecond: result.perSecond * orders, costs: stopCounting(result.answered * orders) }
}

/** The warm-up: as many requests as V8 needs to compile the code, but not longer than these seconds. */
const warmUp = { requests: 5_000, full: 2, quick: 1 }

/**
 * Runs every case once as a warm-up and then in turn for some rounds, so that a slow minute of the machine affects all
 * alike. Every second round runs in reverse, because a case is slower after one that left much to be written.
 */
export async function measureInTurn(bench: Bench, contenders: readonly Contender[]): Promise<Results> {
  const { rounds, seconds, isQuick } = bench.options
  const runs = new Map<string, Run[]>(contenders.map(({ name }) => [name, []]))
  for (const contender of contenders) {
    const warmUpSeconds = contender.warmUpSeconds ?? warmUp[isQuick ? 'quick' : 'full']
    await measureOnce(bench, contender, { requests: warmUp.requests, seconds: warmUpSeconds })
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const run = await measureOnce(bench, contender, { seconds })
      runs.get(contender.name)?.push(run)
      const times = `p50 ${run.p50.toFixed(1)} ms, p99 ${run.p99.toFixed(1)} ms`
      bench.say(`  ${contender.name}: ${Math.round(run.perSecond)}/s, ${times}; ${describeCosts(run.costs)}`)
    }
  }
  const medians = new Map([...runs].map(([name, each]) => [name, medianOf(each)]))
  return {
    of: (name) => medians.get(name) ?? medianOf([]),
    ratioOf: (ours, base) => {
      const baseRuns = runs.get(base) ?? []
      return median((runs.get(ours) ?? []).map((run, round) => run.perSecond / (baseRuns[round]?.perSecond ?? Number.NaN)))
    },
    costs: [...medians].map(([name, { perSecond, costs }]) => ({ name, perSecond, costs })),
    figures: Object.fromEntries([...medians].map(([name, { perSecond }]) => [name, perSecond])),
  }
}

function medianOf(runs: readonly Run[]): Measured {
  return {
    perSecond: median(runs.map((run) => run.perSecond)),
    p50: median(runs.map((run) => run.p50)),
    p99: median(runs.map((run) => run.p99)),
    costs: medianCosts(runs.map((run) => run.costs)),
  }
}
