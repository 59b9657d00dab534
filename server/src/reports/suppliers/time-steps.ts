/** Four steps for each doubling: a step ends at 1.19 times its beginning, and a percentile is that exact. */
export const stepsPerDoubling = 4

/** The last step begins at six days. Whatever took longer is counted there. */
export const lastStep = 116

/** How many answers or deliveries took as long as each step says, by the number of the step. */
export type StepCounts = Readonly<Record<string, number>>

/** Adds counts up. */
export function addSteps(all: readonly StepCounts[]): StepCounts {
  const sums: Record<string, number> = {}
  for (const counts of all) for (const [step, count] of Object.entries(counts)) sums[step] = (sums[step] ?? 0) + count
  return sums
}

/**
 * The time, in milliseconds, within which a given part was done. Within a step, times are taken as spread evenly.
 * @param part 0.5 for the median
 * @returns null when nothing was counted
 */
export function millisecondsWithin(counts: StepCounts, part: number): number | null {
  const steps = Object.entries(counts)
    .map(([step, count]) => [Number(step), count] as const)
    .toSorted(([one], [other]) => one - other)
  const all = steps.reduce((sum, [, count]) => sum + count, 0)
  if (all === 0) return null
  let left = part * all
  for (const [step, count] of steps) {
    if (left <= count) {
      const begin = 2 ** (step / stepsPerDoubling)
      const end = 2 ** ((step + 1) / stepsPerDoubling)
      return Math.round(begin + ((end - begin) * left) / count)
    }
    left -= count
  }
  throw new Error('more were counted than there are')
}
