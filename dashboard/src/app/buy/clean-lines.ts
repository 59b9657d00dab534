import { cleanPhone } from '../../both/phones.ts'
import { isSize, partsOf } from './read-lines.ts'
import { repeatWord } from './repeat-word.ts'

/** The beginning of each message in a copied chat: `[24/11/2026, 10:30] Ama: ` or `24/11/2026, 10:30 - Ama: `. */
const chatHead =
  /^\s*\u200e?\[?\d{1,2}[/.]\d{1,2}[/.]\d{2,4},?\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?(?:\]\s*|\s+[-\u2013]\s+)(?:[^:]{1,40}:\s*)?/i
/** `1. ` or `2) ` before the line of a list. */
const listMark = /^\s*\d{1,3}[.)]\s+/

const gap = '[ \\u00a0\\u202f.\\-\\u2010-\\u2015]'
/**
 * A phone number inside other text, in the groups in which people write it. Other groups are not joined: in `024123456 5 GB`,
 * the 5 does not belong to the number.
 */
const phoneInText = new RegExp(
  `(?<![\\d.])(?:(?:\\+|00)?233${gap}?(?:\\(0\\)|0)?${gap}?|\\(?0)(?:${[
    '\\d{9}',
    `\\d{2}\\)?${gap}\\d{3}${gap}?\\d{4}`,
    `\\d{2}\\)?${gap}\\d{4}${gap}?\\d{3}`,
    `\\d{3}${gap}\\d{3}${gap}\\d{3}`,
    `\\d{2}${gap}\\d{2}${gap}\\d{2}${gap}\\d{3}`,
  ].join('|')})(?!\\d)`,
  'g',
)

const sizeInText = /(?:GHS|GH\u20b5|\u20b5) ?\d+(?:\.\d+)?|\d+(?:\.\d+)? ?(?:GB|gigs?|GHS|cedis?)\b/gi

/** Writes a size with the unit GB or GHS: `5 gigs` becomes `5 GB`. */
const cleanSize = (text: string): string =>
  text
    .replace(/gigs?$/i, 'GB')
    .replace(/cedis?$/i, 'GHS')
    .replace(/^GH\u20b5|^\u20b5/i, 'GHS')

/** Finds the networks, the sizes and the word `again` in what a person wrote, such as `please 5gb mtn for`. */
function wordsOfCell(cell: string, networks: readonly string[]): string[] {
  if (cell === repeatWord || isSize(cell)) return [cell]
  const text = cell.toLowerCase()
  const named = networks.filter((network) => new RegExp(`\\b${network}\\b`, 'i').test(text))
  return [...named, ...(cell.match(sizeInText) ?? []).map(cleanSize)]
}

const wordsOf = (text: string, networks: readonly string[]): string[] =>
  partsOf(text).flatMap((cell) => wordsOfCell(cell, networks))

const bareNumber = /^\d+(?:\.\d+)?$/

/**
 * The lines that one pasted line becomes. `counts`: numbers without a unit before the phone number, such as row numbers of a
 * table.
 */
type PastedLine = { readonly lines: readonly string[]; readonly counts: readonly string[] }

/** Cleans a line without a phone number. Keeps its first number of at least seven digits, so that the person can correct it. */
function lineWithoutPhone(text: string, networks: readonly string[]): PastedLine {
  const cells = partsOf(text)
  const at = cells.findIndex((cell) => /^\+?[\d\s().-]+$/.test(cell) && cell.replaceAll(/\D/g, '').length >= 7)
  if (at >= 0) {
    const others = cells.filter((_, place) => place !== at)
    return {
      lines: [[cleanPhone(cells[at] ?? ''), ...others.flatMap((cell) => wordsOfCell(cell, networks))].join(', ')],
      counts: [],
    }
  }
  // A line without digits is a greeting or a table head, and is left out.
  return { lines: /\d/.test(text) ? [cells.filter(Boolean).join(', ')] : [], counts: [] }
}

function pastedLine(written: string, networks: readonly string[]): PastedLine {
  const text = written.replace(chatHead, '').replace(listMark, '')
  const phones = [...text.matchAll(phoneInText)]
  const [first] = phones
  if (!first) return lineWithoutPhone(text, networks)
  const before = wordsOf(text.slice(0, first.index), networks)
  const counts = before.filter((word) => bareNumber.test(word))
  const named = before.filter((word) => !bareNumber.test(word))
  const after = phones.map(({ 0: phone, index }, place) => {
    const rest = text.slice(index + phone.length, phones[place + 1]?.index)
    return { phone: cleanPhone(phone), words: wordsOf(rest.replace(/^[\s:=>\u2013-]+(?=\S)/, ''), networks) }
  })
  const hasSize = after.map(({ words }) => words.some(isSize))
  // Only some phones have a size, which may be meant for the others too. Together in one line, they are shown as unreadable.
  if (hasSize.includes(true) && hasSize.includes(false)) {
    return { lines: [after.flatMap(({ phone, words }) => [phone, ...words]).join(', ')], counts: [] }
  }
  return { lines: after.map(({ phone, words }) => [phone, ...named, ...words].join(', ')), counts }
}

/** True when each count is one more than the one before, as row numbers of a table are. A single count may be one, too. */
const countRows = (counts: readonly string[]): boolean =>
  counts.every((count, place) => place === 0 || Number(count) === Number(counts[place - 1]) + 1)

/**
 * Cleans a text that was pasted from a chat or a sheet, or read from a file. Each line then begins with its number, and keeps
 * its network and its size, wherever they were. A line with several numbers is split. Lines of words alone are removed.
 */
export function cleanLines(text: string, networks: readonly string[] = []): string {
  const pasted = text.split(/\r?\n/).map((line) => pastedLine(line, networks))
  const areRows = countRows(pasted.flatMap(({ counts }) => counts))
  return pasted.flatMap(({ lines, counts }) => lines.map((line) => (areRows ? line : [line, ...counts].join(', ')))).join('\n')
}
