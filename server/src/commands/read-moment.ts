import { CommandError } from './command-error.ts'

const isoPattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/i

/**
 * Reads a date or a moment in ISO 8601. Without a zone it is Ghana's time, which is UTC; a date alone
 * is its first instant.
 *
 * @param option the option it was given with, for the error
 * @throws CommandError when it is none, such as 30 February
 */
export function readMoment(text: string, option: string): Date {
  const [, day, time = '00:00', zone = 'Z'] = isoPattern.exec(text.trim()) ?? []
  const moment = new Date(`${day}T${time}${zone.toUpperCase()}`)
  // JavaScript takes 30 February for 2 March.
  const isRealDay = day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
  if (isRealDay && !Number.isNaN(moment.getTime())) return moment
  throw new CommandError(
    `${option} must be a date or a moment such as 2027-01-31 or 2027-01-31T18:00:00Z, not ${JSON.stringify(text)}.`,
  )
}
