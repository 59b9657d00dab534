import { fieldWords } from '../../both/field-words.ts'
import { formatTime } from '../words/format-figures.ts'
import type { HourOfSupplier } from './ask-suppliers.ts'

const hourMilliseconds = 3_600_000

/** Every hour of the period in order; undefined for an hour in which nothing was sent. */
export function hoursOf(
  from: string,
  count: number,
  known: readonly HourOfSupplier[],
): { readonly at: string; readonly figures: HourOfSupplier | undefined }[] {
  const byHour = new Map(known.map((hour) => [new Date(hour.hour).getTime(), hour]))
  const first = new Date(from).getTime()
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * hourMilliseconds
    return { at: new Date(at).toISOString(), figures: byHour.get(at) }
  })
}

type Times = Pick<HourOfSupplier, 'answer_p50' | 'answer_p95' | 'delivery_p50' | 'delivery_p95'>

/** The median and the 95th percentile of a supplier's times: `1.2 s / 4 s`. */
export const timesOf = (figures: Times | undefined, what: 'answer' | 'delivery'): string =>
  figures ? `${formatTime(figures[`${what}_p50`])} / ${formatTime(figures[`${what}_p95`])}` : fieldWords.none
