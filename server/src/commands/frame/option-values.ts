import { type Pesewas, pesewasFromText } from '../../money/pesewas.ts'
import { UsageError } from './command-error.ts'

const textLengthMax = 500

/** Reads what an option must hold to be one of a few words. @throws UsageError naming the option and the words */
export function readChoice<C extends string>(option: string, text: string, choices: readonly C[]): C {
  const choice = choices.find((known) => known === text)
  if (choice !== undefined) return choice
  throw new UsageError(`${option} must be one of ${choices.join(', ')}, not ${JSON.stringify(text)}.`)
}

/** @throws UsageError unless the text is a whole number within the bounds, in digits alone */
export function readCount(option: string, text: string, bounds: { least: number; most: number }): number {
  const { least, most } = bounds
  const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (count >= least && count <= most) return count
  throw new UsageError(`${option} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`)
}

/** Reads an amount of GHS above 0. @throws UsageError otherwise */
export function readGhs(option: string, text: string): Pesewas {
  const amount = pesewasFromText(text)
  if (amount !== undefined && amount > 0) return amount
  throw new UsageError(`${option} must be GHS above 0 with at most 2 decimals, such as 17.50, not ${JSON.stringify(text)}.`)
}

/** Reads words that are kept, without the space around them. @throws UsageError when there are none, or too many */
export function readText(option: string, text: string | undefined, lengthMax = textLengthMax): string {
  const trimmed = text?.trim() ?? ''
  if (trimmed !== '' && Array.from(trimmed).length <= lengthMax && !/\p{Cc}/u.test(trimmed)) return trimmed
  throw new UsageError(`${option} must have 1 to ${lengthMax} printable characters.`)
}
