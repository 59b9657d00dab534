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
 * Where the steps end in which the time to delivery is counted, in seconds; the last step has no end. From 10 seconds to
 * a day, a step ends at most one and a half times as late as it begins: that is how exact a median of a report is.
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
 * The time within which a part of all orders was delivered, in minutes, from how many were delivered in each step. Inside
 * a step the orders are taken to be spread evenly, and the open last one counts as its beginning.
 *
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
