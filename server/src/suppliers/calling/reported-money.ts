import { type Pesewas, pesewas } from '../../money/pesewas.ts'

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
