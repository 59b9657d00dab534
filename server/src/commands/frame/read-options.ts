import { type Pesewas, pesewasFromText } from '../../money/pesewas.ts'
import { isId } from '../../platform/database/read-id.ts'
import { UsageError } from './command-error.ts'

const textLengthMax = 500

/** @throws UsageError, naming the option and the choices, unless the text is one of them */
export function readChoice<C extends string>(option: string, text: string, choices: readonly C[]): C {
  const choice = choices.find((known) => known === text)
  if (choice !== undefined) return choice
  throw new UsageError(`${option} must be one of ${choices.join(', ')}, not ${JSON.stringify(text)}.`)
}

/** @throws UsageError unless the text is a whole number within the bounds, in digits alone */
export function readCount(option: string, text: string, bounds: { least: number; most: number }): number {
  const { least, most } = bounds
  const count = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (count >= least && count <= most) return count
  throw new UsageError(`${option} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`)
}

/** In pesewas, or in SMS credits. Far above any real amount, and small enough for sums to stay exact. */
export const amountMax = 100_000_000_000

/** Reads GHS above 0. @throws UsageError otherwise */
export function readGhs(option: string, text: string): Pesewas {
  const amount = pesewasFromText(text)
  if (amount !== undefined && amount > 0 && amount <= amountMax) return amount
  throw new UsageError(`${option} must be GHS above 0 with at most 2 decimals, such as 17.50, not ${JSON.stringify(text)}.`)
}

/** Reads GHS above 0 (given) or below 0 (taken back). @throws UsageError otherwise */
export function readSignedGhs(option: string, text: string): Pesewas {
  const amount = pesewasFromText(text)
  if (amount !== undefined && amount !== 0 && Math.abs(amount) <= amountMax) return amount
  throw new UsageError(
    `${option} must be GHS with at most 2 decimals, such as 4.50 to give or -4.50 to take back, not ${JSON.stringify(text)}.`,
  )
}

/** Reads an amount to take back, in GHS below 0. @throws UsageError otherwise */
export function readGhsTakenBack(option: string, text: string): Pesewas {
  const amount = pesewasFromText(text)
  if (amount !== undefined && amount < 0 && amount >= -amountMax) return amount
  throw new UsageError(
    `${option} must be what is taken back, GHS below 0 such as -50.00, not ${JSON.stringify(text)}. To give, credit it.`,
  )
}

/** Reads a number from 0 to `most` with at most `decimals` decimals. @throws UsageError otherwise */
export function readDecimal(option: string, text: string, bounds: { decimals: number; most: number }): number {
  const { decimals, most } = bounds
  if (decimals === 0) return readCount(option, text, { least: 0, most })
  if (new RegExp(String.raw`^\d{1,7}(\.\d{1,${decimals}})?$`).test(text) && Number(text) <= most) return Number(text)
  throw new UsageError(
    `${option} must be a number of 0 to ${most} with at most ${decimals} decimals, not ${JSON.stringify(text)}.`,
  )
}

/**
 * Trims a text that will be stored.
 * @throws UsageError when it is empty, too long, or holds control characters
 */
export function readText(option: string, text: string | undefined, lengthMax = textLengthMax): string {
  const trimmed = text?.trim() ?? ''
  if (trimmed !== '' && Array.from(trimmed).length <= lengthMax && !/\p{Cc}/u.test(trimmed)) return trimmed
  throw new UsageError(`${option} must have 1 to ${lengthMax} printable characters.`)
}

/** Reads the `next` of the page before, which is an id. @throws UsageError for anything else */
export function readCursor(text: string): string {
  if (isId(text)) return text.toLowerCase()
  throw new UsageError(`--after must be the \`next\` of the page before, not ${JSON.stringify(text)}.`)
}

const isoPattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/i

const firstMoment = new Date('2000-01-01T00:00:00Z')
const momentAfterAll = new Date('2100-01-01T00:00:00Z')

/**
 * Reads a date or a moment in ISO 8601. Without a zone it is Ghana's time, which is UTC; a date alone is its first instant. Years
 * far from ours are typing errors.
 *
 * @throws UsageError unless it exists (30 February does not) and is in the years 2000 to 2099
 */
export function readMoment(option: string, text: string): Date {
  const [, day, time = '00:00', zone = 'Z'] = isoPattern.exec(text.trim()) ?? []
  const moment = new Date(`${day}T${time}${zone.toUpperCase()}`)
  // JavaScript reads 30 February as 2 March.
  const isRealDay = day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
  if (isRealDay && moment >= firstMoment && moment < momentAfterAll) return moment
  throw new UsageError(
    `${option} must be a date or a moment such as 2027-01-31 or 2027-01-31T18:00:00Z, in the years 2000 to 2099, not ${JSON.stringify(text)}.`,
  )
}

const longestDays = 366

/** Reads a moment, or a time from now such as `15m`, `4h` or `2d`. @throws UsageError for any other text */
export function readMomentAhead(option: string, text: string): Date {
  const [, count, unit = ''] = /^(\d{1,5})([smhd])$/.exec(text.trim()) ?? []
  if (count === undefined) return readMoment(option, text)
  const seconds = Number(count) * ({ s: 1, m: 60, h: 3_600, d: 86_400 }[unit] ?? 0)
  if (seconds > longestDays * 86_400) throw new UsageError(`${option} must be within a year.`)
  return new Date(Date.now() + seconds * 1_000)
}

/** Reads `--to`. A date alone is the last moment of its day. @throws UsageError when it is no moment */
export function readEnd(text: string): Date {
  const moment = readMoment('--to', text)
  return /^[\d-]+$/.test(text.trim()) ? new Date(moment.getTime() + 24 * 3_600 * 1_000 - 1) : moment
}

/** @throws UsageError when one is no moment, or `--from` is after `--to` */
export function readPeriod(options: { from?: string; to?: string }): { from?: Date; to?: Date } {
  const from = options.from === undefined ? undefined : readMoment('--from', options.from)
  const to = options.to === undefined ? undefined : readEnd(options.to)
  if (from && to && from > to) throw new UsageError('--from must not be after --to.')
  return { ...(from && { from }), ...(to && { to }) }
}

/**
 * Reads the last moment of a period, and returns the first moment after it. A date alone means the end of its day.
 * @throws UsageError when it is no moment
 */
export function readUntil(option: string, text: string): Date {
  const moment = readMoment(option, text)
  return new Date(moment.getTime() + (/^[\d-]+$/.test(text.trim()) ? 24 * 3_600 * 1_000 : 1))
}

/** Reads a month of Accra, as `2026-10`. @throws UsageError for any other text */
export function readMonth(option: string, text: string): { from: Date; until: Date } {
  const [, year, no] = /^(20\d{2})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (year !== undefined) {
    return { from: new Date(Date.UTC(Number(year), Number(no) - 1)), until: new Date(Date.UTC(Number(year), Number(no))) }
  }
  throw new UsageError(`${option} must be a month such as 2026-10, in the years 2000 to 2099, not ${JSON.stringify(text)}.`)
}

/** Reads a day, as `2027-01-31`. @throws UsageError for any other text */
export function readDay(option: string, text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text.trim())) return readMoment(option, text).toISOString().slice(0, 10)
  throw new UsageError(`${option} must be a day such as 2027-01-31, in the years 2000 to 2099, not ${JSON.stringify(text)}.`)
}

/**
 * Checks a text that is stored with money and later compared exactly as it was typed.
 * @throws UsageError when it is empty, too long, or holds invisible characters
 */
export function checkText(option: string, text: string | undefined, lengthMax = 200): void {
  if (text === undefined) return
  const isFit = text.trim() !== '' && Array.from(text).length <= lengthMax && !/\p{C}/u.test(text)
  if (!isFit) throw new UsageError(`${option} must have 1 to ${lengthMax} printable characters.`)
}
