import { inLanguage } from '../../languages/in-language.ts'

/** Why a typed number is refused, and what to write instead. */
export const amountWords = inLanguage('amountWords', {
  point: (amount: string) => `Write ${amount} with a point.`,
  unclear: 'Write it like 1,250.50: a point before decimals, commas only between groups of three digits.',
  oneEachLine: 'Only one size or amount stands in a line, with a point before decimals: 024 412 3904, 12.50.',
  noNumber: 'Write a number.',
  whole: 'Write a whole number.',
  decimals: (decimals: number) => `At most ${decimals} decimals.`,
  notNone: 'Must not be 0.',
  aboveNone: 'Must be above 0.',
  atLeast: (least: string) => `At least ${least}.`,
  atMost: (most: string) => `At most ${most}.`,
})
