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
