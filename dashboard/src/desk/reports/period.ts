import { dayOf } from '../../both/moments/format-moment.ts'

/** Days of Accra, both included, as `2026-11-22`. */
export type Days = { readonly from: string; readonly to: string }

const addDays = (day: string, days: number): string => {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** The periods that people can choose with one button, by their names. */
export function spansOf(now: Date): Readonly<Record<'today' | 'week' | 'month' | 'thisMonth' | 'lastMonth' | 'year', Days>> {
  const today = dayOf(now)
  const firstOfMonth = `${today.slice(0, 8)}01`
  const lastOfBefore = addDays(firstOfMonth, -1)
  return {
    today: { from: today, to: today },
    week: { from: addDays(today, -6), to: today },
    month: { from: addDays(today, -29), to: today },
    thisMonth: { from: firstOfMonth, to: today },
    lastMonth: { from: `${lastOfBefore.slice(0, 8)}01`, to: lastOfBefore },
    year: { from: `${today.slice(0, 4)}-01-01`, to: today },
  }
}

/** Seconds since 1970 of the beginning of a day. */
export const secondsOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000
