import { internationalNumber } from './read-recipients.ts'

/** Reason why a cell is not a number that we can send to. */
export type WrongNumber = 'foreign' | 'too_short' | 'too_long' | 'not_a_number'

/** A cell of a list of numbers, as a person wrote it. */
export type ContactLine =
  | { readonly line: number; readonly recipient: string; readonly name: string | undefined }
  | { readonly line: number; readonly given: string; readonly why: WrongNumber }

const nameLengthMax = 60
const shownMax = 40

/**
 * Reads one number in any notation: with `+233`, `00233` or `233`, spaces, dashes, dots or brackets, or without the first
 * zero, which spreadsheets drop.
 */
export function readNumber(given: string): { recipient: string } | { why: WrongNumber } {
  const bare = given.replaceAll(/[\s().'"-]/g, '')
  const digits = bare.replace(/^(?:\+|00)/, '')
  if (!/^\d+$/.test(digits)) return { why: 'not_a_number' }
  const isAbroad = digits !== bare && !digits.startsWith('233')
  if (isAbroad) return { why: 'foreign' }
  const recipient = internationalNumber(/^[235]\d{8}$/.test(digits) ? `0${digits}` : digits)
  if (recipient !== undefined) return { recipient }
  return { why: digits.length < 10 ? 'too_short' : 'too_long' }
}

function readLine(text: string, line: number): ContactLine[] {
  const cells = text.split(/[,;\t]/).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  )
  const words = cells.filter((cell) => cell !== '' && !/\d/.test(cell))
  const numbers = cells.filter((cell) => /\d/.test(cell))
  if (numbers.length === 0) {
    return words.length === 0 ? [] : [{ line, given: text.trim().slice(0, shownMax), why: 'not_a_number' }]
  }
  // A word beside a single number is the person's name.
  const name = numbers.length === 1 ? words[0]?.slice(0, nameLengthMax) : undefined
  return numbers.map((given) => {
    const read = readNumber(given)
    return 'recipient' in read
      ? { line, recipient: read.recipient, name }
      : { line, given: given.slice(0, shownMax), why: read.why }
  })
}

/**
 * Reads numbers as people paste them and as spreadsheets write them: one or many per line, separated by commas, semicolons
 * or tabs, with or without names. Skips the first of several lines as a header when it has no digit.
 */
export function readContactLines(text: string): ContactLine[] {
  const lines = text.split(/\r\n|\r|\n/)
  const head = lines.length > 1 && !/\d/.test(lines[0] ?? '') ? 1 : 0
  return lines.slice(head).flatMap((line, index) => readLine(line, index + 1 + head))
}

/** Numbers to send to, and the skipped ones. */
export type CleanedRecipients = {
  /** Unique, 233 and nine digits each, in the order of their first appearance. */
  readonly recipients: readonly string[]
  /** Names that are written beside their number. */
  readonly names: ReadonlyMap<string, string>
  readonly duplicates: number
  readonly wrong: readonly Extract<ContactLine, { why: WrongNumber }>[]
}

/** Reads the numbers of a text, and adds those of the chosen lists. Each number comes once. */
export function cleanRecipients(text: string, listed: readonly string[]): CleanedRecipients {
  const lines = readContactLines(text)
  const given = [...lines.flatMap((line) => ('recipient' in line ? line.recipient : [])), ...listed]
  const recipients = [...new Set(given)]
  const named = lines.flatMap((line) =>
    'recipient' in line && line.name !== undefined ? [[line.recipient, line.name] as const] : [],
  )
  return {
    recipients,
    names: new Map(named.toReversed()),
    duplicates: given.length - recipients.length,
    wrong: lines.filter((line) => 'why' in line),
  }
}
