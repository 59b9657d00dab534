/** Sums of a day: whole pesewas, whole SMS credits in `credits_…`, and how many orders. */
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
 * Upper ends, in seconds, of the steps that count times to delivery. The last step has no end. From 10 seconds to a day, a
 * step ends at most at 1.5 times its beginning, which is the precision of a report's median.
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
 * Minutes within which a part of the orders was delivered, from the counts of the steps. Assumes that a step's orders are
 * spread evenly; those of the last step count at its beginning.
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
