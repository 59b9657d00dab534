import { mustAllSucceed, runAtFullSpeed, runAtRate } from '../load/load.ts'
import { emptyPurchases, purchases } from '../load/requests.ts'
import type { Part } from './part.ts'

const connectionSteps = [1, 16, 64, 256]

/** Throughput and latency by the number of connections. Latency is measured at a constant rate that the server sustains. */
export const sweepPart: Part = {
  name: 'sweep',
  measures: 'throughput and latency against the number of connections, as plots',
  isForFullRunOnly: true,
  async run(bench) {
    const { seconds } = bench.options
    const [{ target }, textbook] = [await bench.server('candidate'), await bench.server('textbook')]
    const buy = purchases(bench.accounts)
    const ways = [
      { name: 'empty route', target, request: emptyPurchases(bench.accounts) },
      { name: 'purchase', target, request: buy },
      { name: 'purchase, one wallet', target, request: purchases(bench.accounts.slice(0, 1)) },
      { name: 'textbook', target: textbook.target, request: purchases(bench.baselineAccounts) },
    ]
    const throughput = ways.map(({ name }) => ({ name, points: [] as [number, number][] }))
    const latency = ['p50', 'p99'].map((name) => ({ name: `purchase ${name}`, points: [] as [number, number][] }))
    for (const connections of connectionSteps) {
      let fullSpeed = 0
      for (const [index, way] of ways.entries()) {
        const { perSecond } = mustAllSucceed(way.name, await runAtFullSpeed({ ...way, connections, seconds }))
        throughput[index]?.points.push([connections, perSecond])
        if (way.name === 'purchase') fullSpeed = perSecond
      }
      const steady = mustAllSucceed(
        'purchases at half the throughput',
        await runAtRate({ target, request: buy, connections, seconds, perSecond: fullSpeed / 2 }),
      )
      latency[0]?.points.push([connections, steady.p50])
      latency[1]?.points.push([connections, steady.p99])
      bench.say(`  ${connections} connections measured`)
    }
    const xLabel = 'connections'
    return {
      plots: [
        { title: 'Throughput against connections', xLabel, yLabel: 'requests per second', series: throughput },
        { title: 'Latency at half the throughput, constant rate', xLabel, yLabel: 'milliseconds', series: latency },
      ],
    }
  },
}
