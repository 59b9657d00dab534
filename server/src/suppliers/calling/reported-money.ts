import { type Pesewas, pesewas } from '../../money/pesewas.ts'

/**
 * An amount in GHS as suppliers report it (a float, or text with up to 4 decimals, converted before), in
 * whole pesewas rounded down (decision S7).
 *
 * @returns undefined when it is negative or beyond exact arithmetic: what a supplier reports is checked, never trusted
 */
export function reportedPesewas(ghs: number | undefined): Pesewas | undefined {
  if (ghs === undefined || !Number.isFinite(ghs) || ghs < 0) return undefined
  // 4.1 * 100 is 409.99999999999994 in binary; four decimals are kept before the pesewa is cut.
  const amount = Math.floor(Math.round(ghs * 10_000) / 100)
  return Number.isSafeInteger(amount) ? pesewas(amount) : undefined
}
