/** Four steps per doubling: a step ends at 1.19 times its beginning, which is the precision of a percentile. */
export const stepsPerDoubling = 4

/** The last step begins at six days and counts everything longer. */
export const lastStep = 116

/** How many answers or deliveries each step counts, by the step's number. */
export type StepCounts = Readonly<Record<string, number>>

export function addSteps(all: readonly StepCounts[]): StepCounts {
  const sums: Record<string, number> = {}
  for (const counts of all) for (const [step, count] of Object.entries(counts)) sums[step] = (sums[step] ?? 0) + count
  return sums
}

/**
 * Milliseconds within which a part of the answers or deliveries came. Assumes that times within a step are spread evenly.
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
