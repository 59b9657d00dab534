import { amountWords } from './amount-words.ts'
import { formatCount, formatGhs, formatUnitCost } from './format-ghs.ts'

/** The numbers that a field takes. */
export type AmountKind = {
  readonly decimals: number
  readonly least: number
  readonly most: number
  /** True: 0 is refused although it lies between the bounds. */
  readonly isNoneRefused?: boolean
  /** Writes the number for people. */
  readonly show: (amount: number) => string
}

/** The number, or why the text is refused; neither for an empty field. */
export type ReadAmount = { readonly amount?: number; readonly problem?: string }

const ghsMost = 1_000_000_000

/** An amount in GHS that must be above 0. */
export const cedis: AmountKind = { decimals: 2, least: 0.01, most: ghsMost, show: formatGhs }
/** An amount in GHS that may be 0. */
export const cedisOrNone: AmountKind = { ...cedis, least: 0 }
/** An amount in GHS that is put in, or taken out if it is below 0. */
export const signedCedis: AmountKind = { ...cedis, least: -ghsMost, isNoneRefused: true }
/** The cost of a unit, which may have parts of a pesewa. */
export const unitCost: AmountKind = { ...cedisOrNone, decimals: 6, most: 1_000_000, show: formatUnitCost }
/** A whole number that may be 0. */
export const count: AmountKind = { decimals: 0, least: 0, most: 999_999_999, show: formatCount }
export const countFromOne: AmountKind = { ...count, least: 1 }
export const percent: AmountKind = { decimals: 2, least: 0, most: 100, show: (amount) => `${amount}%` }
/** A change of prices by a percentage. */
export const percentAboveNone: AmountKind = { ...percent, least: 0.01, most: 1_000 }
export const gigabytes: AmountKind = { decimals: 3, least: 0.001, most: 100_000, show: (amount) => `${amount} GB` }

const plain = /^(?:0|[1-9]\d*)(?:\.\d+)?$/
/** One sign separates all groups, and every group after the first has three digits. */
const grouped = /^[1-9]\d{0,2}(?:([ ,])\d{3})(?:\1\d{3})*(?:\.\d+)?$/
const commaForPoint = /^((?:0|[1-9]\d*))\s*,\s*(\d{1,2})$/

function problemOfText(body: string, { decimals }: AmountKind): string {
  const [, whole, part] = commaForPoint.exec(body) ?? []
  if (whole !== undefined) return decimals === 0 ? amountWords.whole : amountWords.point(`${whole}.${part}`)
  return /\d/.test(body) ? amountWords.unclear : amountWords.noNumber
}

function problemOfSize(amount: number, decimals: number, { least, most, show, ...kind }: AmountKind): string | undefined {
  if (decimals > kind.decimals) return kind.decimals === 0 ? amountWords.whole : amountWords.decimals(kind.decimals)
  if (kind.isNoneRefused && amount === 0) return amountWords.notNone
  if (amount < least) return least > 0 && amount <= 0 ? amountWords.aboveNone : amountWords.atLeast(show(least))
  return amount > most ? amountWords.atMost(show(most)) : undefined
}

/**
 * Reads a typed or pasted number, in every field of both apps. A point comes before decimals; commas or spaces only separate
 * groups of three digits. Every other text is refused with the reason, because money must not move on a guess: `12,50` may mean
 * 12.50 or 1250.
 */
export function readAmount(text: string, kind: AmountKind): ReadAmount {
  const typed = text.replaceAll(/[\s\u00a0\u202f]+/g, ' ').trim()
  if (typed === '') return {}
  const unsigned = typed.replace(/^[-−]\s?/, '')
  const sign = unsigned === typed ? 1 : -1
  const body = unsigned.replace(/^GHS ?| ?(?:GHS|GB|%)$/i, '')
  if (!plain.test(body) && !grouped.test(body)) return { problem: problemOfText(body, kind) }
  const digits = body.replaceAll(/[ ,]/g, '')
  const amount = sign * Number(digits)
  const problem = problemOfSize(amount, digits.split('.')[1]?.length ?? 0, kind)
  return problem === undefined ? { amount } : { problem }
}

/** Reads a number of a form that is sent. @throws Error with the reason, when the text is empty or refused */
export function mustReadAmount(text: string, kind: AmountKind): number {
  const { amount, problem } = readAmount(text, kind)
  if (amount === undefined) throw new Error(problem ?? amountWords.noNumber)
  return amount
}
