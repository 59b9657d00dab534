import { parseArgs } from 'node:util'
import type { BenchOptions } from './bench-servers.ts'
import type { Part } from './parts/part.ts'

const lengths = {
  full: { seconds: 4, rounds: 3, stored: 200_000 },
  quick: { seconds: 0.6, rounds: 2, stored: 200_000 },
}

export type AskedBench = { readonly options: BenchOptions; readonly parts: readonly Part[]; readonly folder: string }

function choose(all: readonly Part[], names: readonly string[], isQuick: boolean): Part[] {
  if (names.length === 0) return all.filter((part) => !(isQuick && part.isForFullRunOnly))
  const unknown = names.filter((name) => !all.some((part) => part.name === name))
  if (unknown.length > 0) {
    const list = all.map(({ name, measures }) => `  ${name.padEnd(15)}${measures}`)
    throw new Error(`The bench has no part ${unknown.join(', ')}. It has:\n${list.join('\n')}`)
  }
  return all.filter(({ name }) => names.includes(name))
}

/** @throws Error that names the fault and lists the parts */
export function readBenchOptions(words: readonly string[], all: readonly Part[]): AskedBench {
  const { values } = parseArgs({
    args: [...words],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      stored: { type: 'string' },
      out: { type: 'string', default: 'bench/results' },
    },
  })
  const { quick: isQuick } = values
  const usual = lengths[isQuick ? 'quick' : 'full']
  const read = (name: keyof typeof usual) => {
    const number = Number(values[name] ?? usual[name])
    if (!(number > 0)) throw new Error(`--${name} must be a number above 0, not ${values[name]}`)
    return number
  }
  const names = values.only.flatMap((list) => list.split(',')).filter(Boolean)
  return {
    options: { seconds: read('seconds'), rounds: read('rounds'), stored: read('stored'), isQuick },
    parts: choose(all, names, isQuick),
    folder: values.out,
  }
}
