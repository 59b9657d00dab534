import type { ContentRule } from './content-rules.ts'
import { type FoldedText, foldLetters, foldText } from './fold-text.ts'

/** What may stand between two letters of a spaced-out word: anything that is neither letter nor digit, but not a whole line. */
const gap = String.raw`[^\p{L}\p{N}]{0,4}`

/** A phrase this long is found inside other words too: glued words are a way around spacing, and no word holds it by chance. */
const gluedLettersMin = 9

/** Cedis before or behind a number, on the text without anything between; O, I and L stand in for digits. */
const amount = /gh[sc]?[\doil]|[\do](?:gh[sc]|cedi)/u

type Matcher = (text: FoldedText & { readonly compact: string }) => boolean

const matchers = new Map<string, Matcher>()

function compile(phrase: string): Matcher {
  if (phrase === '{amount}') return ({ compact }) => amount.test(compact)
  const letters = foldLetters(foldText(phrase).plain).replaceAll(/[^\p{L}\p{N}]/gu, '')
  const spaced = Array.from(letters).join(gap)
  const bounded = String.raw`(?<![\p{L}\p{N}])${spaced}(?![\p{L}\p{N}])`
  const pattern = new RegExp(letters.length >= gluedLettersMin ? spaced : bounded, 'u')
  return ({ letters: text }) => pattern.test(text)
}

function matcherOf(phrase: string): Matcher {
  const known = matchers.get(phrase)
  if (known) return known
  const made = compile(phrase)
  matchers.set(phrase, made)
  return made
}

/** Finds the first rule that blocks a text; undefined when it may be sent (contract, SMS send, rule 5; decisions M4). */
export function findBlockingRule(text: string, rules: readonly ContentRule[]): string | undefined {
  const folded = foldText(text)
  const seen = { ...folded, compact: folded.plain.replaceAll(/[^\p{L}\p{N}]/gu, '') }
  return rules.find(({ all }) => all.every((group) => group.some((phrase) => matcherOf(phrase)(seen))))?.name
}
