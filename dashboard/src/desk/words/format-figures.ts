import { formatCounted } from '../../both/money/format-ghs.ts'

/** Shown for an unknown figure. */
export const notKnown = '–'

const tenths = new Intl.NumberFormat('en-GH', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** A time as people say it: `420 ms`, `4.2 s`, `3 min`, `2.1 h`; a dash for null. */
export function formatTime(milliseconds: number | null): string {
  if (milliseconds === null) return notKnown
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3_600).toFixed(1)} h`
}

/** Writes minutes as `formatTime` writes milliseconds. */
export function formatMinutes(minutes: number | null): string {
  return formatTime(minutes === null ? null : minutes * 60_000)
}

/** A share from 0 to 1 in percent: `97.4 %`; a dash for null. `100 %` is shown only when the share is exactly 1. */
export function formatPart(part: number | null): string {
  if (part === null) return notKnown
  if (part === 1) return '100 %'
  const percent = Math.round(part * 1_000) / 10
  const shown = part < 1 ? Math.min(percent, 99.9) : percent
  return `${shown < 0 ? '−' : ''}${tenths.format(Math.abs(shown))} %`
}

/** The change of a figure, given as a share of the earlier figure: `+6.1 %`, `−12.0 %`. */
export function formatChange(part: number): string {
  return `${part < 0 ? '−' : '+'}${tenths.format(Math.abs(part * 100))} %`
}

type Earned = { readonly margin: number | null; readonly cost_unknown_orders: number | null }

/**
 * A margin, marked `≤` where the cost of some orders is not known, because the true margin may be lower.
 * @param uncounted the words for days that are not counted yet; by default with a capital letter
 */
export function formatMargin({ margin, cost_unknown_orders: unknown }: Earned, uncounted?: string): string {
  const shown = formatCounted(margin, uncounted)
  return unknown !== null && unknown > 0 ? `≤ ${shown}` : shown
}

const yearDays = 365

/**
 * How long something lasts, in days: `1.6 days`, `12 days`. Always rounded down, so that nobody reads more time than there is.
 */
export function formatDays(days: number): string {
  if (days < 1) return 'less than a day'
  if (days > yearDays) return 'more than a year'
  return days < 10 ? `${tenths.format(Math.floor(days * 10) / 10)} days` : `${Math.floor(days)} days`
}

/** How long a supplier's float lasts at its present pace: `about 5 h`, `about 2.5 days`; a dash for null. */
export function formatLasting(hours: number | null): string {
  if (hours === null) return notKnown
  if (hours < 1) return 'less than an hour'
  if (hours < 48) return `about ${Math.floor(hours)} h`
  const days = formatDays(hours / 24)
  return hours / 24 > yearDays ? days : `about ${days}`
}
