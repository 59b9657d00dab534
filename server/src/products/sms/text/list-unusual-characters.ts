import { gsm7Septets } from './gsm7.ts'

/** A character that GSM-7 does not have. An empty `replacement` removes it. */
export type UnusualCharacter = { readonly character: string; readonly replacement: string }

/** Replacements of characters that word processors and phones insert by themselves, or that have a plain spelling. */
const plain: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': ',',
  '‛': "'",
  '`': "'",
  '´': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '‑': '-',
  '−': '-',
  '…': '...',
  '•': '-',
  '·': '-',
  '\u00A0': ' ',
  '\u202F': ' ',
  '\u2009': ' ',
  '\t': ' ',
  '₵': 'GHS ',
  '¢': 'GHS ',
  '×': 'x',
  ɛ: 'e',
  Ɛ: 'E',
  ɔ: 'o',
  Ɔ: 'O',
  ŋ: 'n',
  Ŋ: 'N',
  ɖ: 'd',
  ƒ: 'f',
  ʋ: 'v',
  ɣ: 'g',
}

/** Removes the marks of a letter: `á` becomes `a`. The result is empty when GSM-7 does not have that letter. */
function withoutMarks(character: string): string {
  const bare = character.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return Array.from(bare).every((each) => gsm7Septets(each) !== undefined) ? bare : ''
}

function replacementOf(character: string): string {
  return plain[character] ?? withoutMarks(character)
}

/** The characters of a text that GSM-7 does not have, each once, in the order of their first appearance. */
export function listUnusualCharacters(text: string): UnusualCharacter[] {
  const unusual = new Set(Array.from(text).filter((character) => gsm7Septets(character) === undefined))
  return [...unusual].map((character) => ({ character, replacement: replacementOf(character) }))
}

/** Replaces all characters that GSM-7 does not have. */
export function spellPlainly(text: string): string {
  return Array.from(text, (character) => (gsm7Septets(character) === undefined ? replacementOf(character) : character)).join('')
}
