import { type Refusal, refusals } from '../../../platform/http/refusals.ts'

/** The most recipients of one call, as sent (contract, Limits). */
export const recipientsMax = 10_000

const shape = /^(?:0|233)(\d{9})$/

/** The most wrong numbers that a refusal names. */
const namedMax = 5

/** The number as it is stored, shown and sent: 233 and nine digits; undefined for any other form. */
export function internationalNumber(number: string): string | undefined {
  const digits = shape.exec(number)?.[1]
  return digits === undefined ? undefined : `233${digits}`
}

/**
 * Reads the recipients of a send: 10 digits starting with 0, or 233 and nine digits (decision N2: the form of a number).
 * Removes duplicates after both forms have become one (decision M3).
 * @returns the unique numbers in the order of their first appearance, or the refusal that names the wrong ones (decision
 *   M2)
 */
export function readRecipients(recipients: string | readonly string[]): readonly string[] | Refusal {
  const given = typeof recipients === 'string' ? [recipients] : recipients
  const read = given.map(internationalNumber)
  const wrong = given.filter((_, index) => read[index] === undefined)
  if (wrong.length > 0) {
    const named = wrong.slice(0, namedMax).map((number) => JSON.stringify(number.slice(0, 20)))
    const others = wrong.length > namedMax ? ` and ${wrong.length - namedMax} more` : ''
    return refusals.invalidRequest(
      `recipients must be Ghana numbers as 0XXXXXXXXX or 233XXXXXXXXX; wrong: ${named.join(', ')}${others}. This try sent nothing and charged nothing.`,
    )
  }
  return [...new Set(read as string[])]
}
