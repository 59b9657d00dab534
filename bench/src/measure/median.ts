import { type Costs, processNames } from './processor-time.ts'

/** The middle value; of an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) / 2
  return ((sorted[Math.floor(at)] ?? Number.NaN) + (sorted[Math.ceil(at)] ?? Number.NaN)) / 2
}

/** The median of each process's costs over several rounds. */
export function medianCosts(rounds: readonly Costs[]): Costs {
  return Object.fromEntries(
    processNames.flatMap((name) => {
      const values = rounds.flatMap((costs) => costs[name] ?? [])
      return values.length === 0 ? [] : [[name, median(values)]]
    }),
  )
}
