import { purchases } from '../load/requests.ts'
import { measureInTurn } from '../measure/measure-in-turn.ts'
import { atMost, milliseconds } from '../report/make-ratio.ts'
import type { Part } from './part.ts'

/** The latency of a purchase that meets no other: the next is sent when the last was answered. */
export const alonePart: Part = {
  name: 'alone',
  measures: 'the latency of one purchase at a time',
  async run(bench) {
    const results = await measureInTurn(bench, [
      {
        name: 'purchase alone',
        server: await bench.server('candidate'),
        request: purchases(bench.accounts),
        connections: 1,
      },
      {
        name: 'textbook alone',
        server: await bench.server('textbook'),
        request: purchases(bench.baselineAccounts),
        connections: 1,
      },
    ])
    const [ours, textbook] = [results.of('purchase alone').p50, results.of('textbook alone').p50]
    return {
      ratios: [atMost('latency alone ÷ textbook', ours / textbook, 0.6, milliseconds(ours, textbook))],
      costs: results.costs,
      figures: { 'purchase alone, p50 in ms': ours, 'textbook alone, p50 in ms': textbook },
    }
  },
}
