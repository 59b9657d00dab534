import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { SupplierAnswer } from '../ports.ts'
import { evidenceOf } from './evidence.ts'

/**
 * Converts an amount that a supplier reported in GHS (up to 4 decimals) into whole pesewas, rounded down (decision S7).
 * @returns undefined when it is missing, negative or too large for exact arithmetic
 */
export function reportedPesewas(ghs: number | undefined): Pesewas | undefined {
  if (ghs === undefined || !Number.isFinite(ghs) || ghs < 0) return undefined
  // 4.1 * 100 is 409.99999999999994 in floating point, so it is first rounded to four decimals and then cut to the pesewa.
  const amount = Math.floor(Math.round(ghs * 10_000) / 100)
  return Number.isSafeInteger(amount) ? pesewas(amount) : undefined
}

/** Longer than real names; the rest is cut. */
const nameCharactersMax = 100

/**
 * A person's name from a supplier, in one line of at most 100 characters. Anybody may have written it and a reseller sees
 * it: invisible characters and those that change the direction of writing are removed, control characters become blanks, and
 * characters that PostgreSQL cannot store are replaced.
 * @returns undefined when it is no text, is empty or has no letter
 */
export function reportedName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const line = value
    .toWellFormed()
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/[\s\p{Cc}\p{Z}]+/gu, ' ')
    .trim()
  const name = Array.from(line).slice(0, nameCharactersMax).join('').trim()
  return /\p{L}/u.test(name) ? name : undefined
}

/** The wait after a 429 that names no time. We assume that suppliers count requests by the minute. */
const secondsDefault = 15
const secondsMax = 3_600

/** Whole seconds to wait after a 429: as long as the answer asks for, at least one second, at most an hour. */
export function throttledSeconds(named: number | undefined): number {
  return Math.min(secondsMax, Math.max(1, Math.ceil(named ?? secondsDefault)))
}

/**
 * A final answer counts only when it names the order: by our reference, or by the supplier's code that we asked with. Any
 * other answer could be about another order. It becomes `unknown` without amounts, and the next look-up will decide. The
 * supplier's code is kept for that look-up.
 * @param namesOurs whether the answer has such a reference
 */
export function requireReference(answer: SupplierAnswer, namesOurs: boolean): SupplierAnswer {
  if (namesOurs || (answer.meaning !== 'delivered' && answer.meaning !== 'failed')) return answer
  const evidence = evidenceOf(`it says ${answer.meaning} without a reference of ours: ${answer.evidence}`)
  const theirs = answer.supplierReference
  return { meaning: 'unknown', hasSpoken: true, evidence, ...(theirs === undefined ? {} : { supplierReference: theirs }) }
}
