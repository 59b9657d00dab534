/** Whole days in Accra, both included, as `2026-11-22`. */
export type Period = { readonly from: string; readonly to: string }

const daysMax = 1_100
const dayMilliseconds = 24 * 3_600 * 1_000

/** Days in Accra are those of UTC. */
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`)
const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** The fault of a requested period; undefined when it is valid. */
export function periodProblem(period: Period): string | undefined {
  if (period.from > dayInAccra(new Date())) return 'A report must not begin in the future.'
  if (period.from > period.to) return 'The first day must not be after the last one.'
  return countDays(period) > daysMax ? 'A report covers three years at most.' : undefined
}

export function addDays(day: string, days: number): string {
  return dayOf(new Date(dateOf(day).getTime() + days * dayMilliseconds))
}

export function dayInAccra(moment: Date): string {
  return dayOf(moment)
}

export function countDays({ from, to }: Period): number {
  return Math.round((dateOf(to).getTime() - dateOf(from).getTime()) / dayMilliseconds) + 1
}

/** How many whole months a period covers; 0 when it does not consist of whole months. */
export function wholeMonths({ from, to }: Period): number {
  const after = addDays(to, 1)
  if (!from.endsWith('-01') || !after.endsWith('-01')) return 0
  const monthsOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  return monthsOf(after) - monthsOf(from)
}

/** The period just before: the same number of months if these are whole months, else of days. */
export function periodBefore(period: Period): Period {
  const to = addDays(period.from, -1)
  const months = wholeMonths(period)
  if (months === 0) return { from: addDays(period.from, -countDays(period)), to }
  const first = dateOf(period.from)
  return { from: dayOf(new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - months, 1))), to }
}
