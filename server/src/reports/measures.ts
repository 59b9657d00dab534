/** The sums of a day: whole pesewas, whole SMS credits in `credits_…`, and numbers of orders. */
export const measures = [
  'orders',
  'delivered',
  'failed',
  'sales',
  'refunds',
  'adjustments',
  'commission_paid',
  'commission_earned',
  'cost',
  'cost_estimated',
  'cost_unknown',
  'credits_spent',
  'credits_returned',
] as const

export type Measure = (typeof measures)[number]

const minute = 60
const hour = 60 * minute

/**
 * The upper ends, in seconds, of the steps in which times to delivery are counted. The last step has no end. From 10
 * seconds to a day, a step ends at most at one and a half times its beginning; a report's median is that exact.
 */
export const waitLimitsSeconds = [
  5,
  10,
  15,
  20,
  30,
  45,
  ...[1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 45].map((minutes) => minutes * minute),
  ...[1, 1.5, 2, 3, 4, 6, 8, 12, 18, 24, 48].map((hours) => hours * hour),
] as const

/** The column of each step, the shortest waits first. */
export const waitColumns: readonly string[] = [...waitLimitsSeconds, Number.POSITIVE_INFINITY].map((_, step) => `wait_${step}`)

/**
 * The time in minutes within which a given part of the orders was delivered, calculated from the counts of the steps.
 * The orders of a step are taken as spread evenly; those of the last step count as delivered at its beginning.
 * @param part 0.5 for the median
 * @returns null when nothing was delivered
 */
export function minutesToDelivery(counts: readonly number[], part: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  let left = part * all
  for (const [step, count] of counts.entries()) {
    if (left > count || count === 0) {
      left -= count
      continue
    }
    const begin = step === 0 ? 0 : (waitLimitsSeconds[step - 1] ?? 0)
    const end = waitLimitsSeconds[step] ?? begin
    return (begin + ((end - begin) * left) / count) / minute
  }
  throw new Error('more orders were delivered than there are')
}
