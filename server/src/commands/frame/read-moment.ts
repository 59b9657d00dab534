import { UsageError } from './command-error.ts'

const isoPattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/i

/**
 * Reads a date or a moment in ISO 8601. Without a zone it is Ghana's time, which is UTC; a date alone
 * is its first instant.
 *
 * @param option the option it was given with, for the error
 * @throws UsageError when it is none, such as 30 February
 */
export function readMoment(text: string, option: string): Date {
  const [, day, time = '00:00', zone = 'Z'] = isoPattern.exec(text.trim()) ?? []
  const moment = new Date(`${day}T${time}${zone.toUpperCase()}`)
  // JavaScript takes 30 February for 2 March.
  const isRealDay = day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
  if (isRealDay && !Number.isNaN(moment.getTime())) return moment
  throw new UsageError(
    `${option} must be a date or a moment such as 2027-01-31 or 2027-01-31T18:00:00Z, not ${JSON.stringify(text)}.`,
  )
}

/** The last moment of a day that is given alone: the day itself counts. */
function readEnd(text: string): Date {
  const moment = readMoment(text, '--to')
  return /^[\d-]+$/.test(text.trim()) ? new Date(moment.getTime() + 24 * 3_600 * 1_000 - 1) : moment
}

/** Reads `--from` and `--to`. @throws UsageError when one is no moment, or they stand the wrong way round */
export function readPeriod(options: { from?: string; to?: string }): { from?: Date; to?: Date } {
  const from = options.from === undefined ? undefined : readMoment(options.from, '--from')
  const to = options.to === undefined ? undefined : readEnd(options.to)
  if (from && to && from > to) throw new UsageError('--from must not be after --to.')
  return { ...(from && { from }), ...(to && { to }) }
}
