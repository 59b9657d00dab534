import { inLanguage, locale } from '../../languages/in-language.ts'

/**
 * Reads the text of a browser's field for day and time as Ghana's time, UTC all year, because the text names no time zone. An
 * empty field gives no moment. The field takes a year of up to six digits, which a moment has with a sign and with all six.
 */
export function readMoment(text: string): string | undefined {
  const written = text.replace(/^\d{5,6}(?=-)/, (year) => `+${year.padStart(6, '0')}`)
  return written === '' ? undefined : new Date(`${written}Z`).toISOString()
}

/** Ghana is on Greenwich time all year; the zone is named so that a browser elsewhere shows the same. */
const timeZone = 'Africa/Accra'

const exact = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short', year: 'numeric' })
const time = new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' })
const dayKey = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })

export const momentWords = inLanguage('momentWords', {
  soon: 'in a moment',
  justNow: 'just now',
  minutes: (count: number) => `${count} min`,
  hours: (count: number) => `${count} h`,
  ahead: (time: string) => `in ${time}`,
  ago: (time: string) => `${time} ago`,
  today: (time: string) => `today ${time}`,
  tomorrow: (time: string) => `tomorrow ${time}`,
  yesterday: (time: string) => `yesterday ${time}`,
})

/** The exact moment: `21 Nov 2026, 09:14:02`. */
export function exactMoment(moment: string | Date): string {
  return exact.format(new Date(moment))
}

/** The day: `21 Nov 2026`. */
export function showDay(moment: string | Date): string {
  return day.format(new Date(moment))
}

/** The time of day in Accra: `09:14`. */
export function showTime(moment: string | Date): string {
  return time.format(new Date(moment))
}

/** The day in Accra as the API writes it: `2026-11-21`. */
export function dayOf(moment: string | Date): string {
  return dayKey.format(new Date(moment))
}

/** The distance from now, up to 12 hours: `2 min ago`, `in 3 h`; otherwise the day: `yesterday 09:14`, `3 Nov 2026`. */
export function relativeMoment(moment: string | Date, now = new Date()): string {
  const then = new Date(moment)
  const seconds = Math.round((now.getTime() - then.getTime()) / 1000)
  const isAhead = seconds < 0
  const away = Math.abs(seconds)
  const say = isAhead ? momentWords.ahead : momentWords.ago
  if (away < 45) return isAhead ? momentWords.soon : momentWords.justNow
  if (away < 3_600) return say(momentWords.minutes(Math.max(1, Math.round(away / 60))))
  if (away < 12 * 3_600) return say(momentWords.hours(Math.round(away / 3_600)))
  if (dayOf(then) === dayOf(now)) return momentWords.today(showTime(then))
  const dayAway = isAhead ? 86_400_000 : -86_400_000
  if (dayOf(then) === dayOf(new Date(now.getTime() + dayAway))) {
    return (isAhead ? momentWords.tomorrow : momentWords.yesterday)(showTime(then))
  }
  return showDay(then)
}
