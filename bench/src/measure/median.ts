import { type Costs, processNames } from './processor-time.ts'

/** The middle of several values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The middle of each process's costs over several rounds. */
export function medianCosts(rounds: readonly Costs[]): Costs {
  return Object.fromEntries(
    processNames.flatMap((name) => {
      const values = rounds.flatMap((costs) => costs[name] ?? [])
      return values.length === 0 ? [] : [[name, median(values)]]
    }),
  )
}
