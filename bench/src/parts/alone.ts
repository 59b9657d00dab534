import { purchases } from '../load/requests.ts'
import { createLoad, measureInTurn } from '../measure/measure-in-turn.ts'
import { atMost, milliseconds } from '../report/make-ratio.ts'
import type { Part } from './part.ts'

export const alonePart: Part = {
  name: 'alone',
  measures: 'the latency of one purchase at a time',
  async run(bench) {
    const [candidate, textbook] = [await bench.server('candidate'), await bench.server('textbook')]
    const results = await measureInTurn(bench, [
      { name: 'purchase alone', ...createLoad(candidate, purchases(bench.accounts), 1) },
      { name: 'textbook alone', ...createLoad(textbook, purchases(bench.baselineAccounts), 1) },
    ])
    const [ours, theirs] = [results.of('purchase alone').p50, results.of('textbook alone').p50]
    return {
      ratios: [atMost('latency alone ÷ textbook', ours / theirs, 0.6, milliseconds(ours, theirs))],
      costs: results.costs,
      figures: { 'purchase alone, p50 in ms': ours, 'textbook alone, p50 in ms': theirs },
    }
  },
}
