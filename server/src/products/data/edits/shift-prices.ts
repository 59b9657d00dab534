import { type Pesewas, pesewas } from '../../../money/pesewas.ts'

/** Changes many prices at once: each by a percentage, or by the same amount. */
export type PriceShift = {
  /** Hundredths of a percent, below 0 to lower; or whole pesewas. */
  readonly by: { readonly basisPoints: number } | { readonly pesewas: Pesewas }
  /** Prices are rounded to a multiple of this many pesewas; half-way values go up. */
  readonly roundTo: 1 | 5 | 10
}

const wholeInBasisPoints = 10_000n

/**
 * Calculates a price after a shift in whole numbers only, and rounds it. The result may be 0 or below, which the caller
 * refuses.
 * @throws RangeError when it is not a safe integer
 */
export function shiftPrice(price: Pesewas, { by, roundTo }: PriceShift): Pesewas {
  const tenThousandths =
    'basisPoints' in by
      ? BigInt(price) * (wholeInBasisPoints + BigInt(by.basisPoints))
      : (BigInt(price) + BigInt(by.pesewas)) * wholeInBasisPoints
  const step = BigInt(roundTo) * wholeInBasisPoints
  const doubled = 2n * tenThousandths + step
  // BigInt divides towards 0. Below 0 that is not the nearest, but there every result is refused anyway.
  return pesewas(Number((doubled / (2n * step)) * BigInt(roundTo)))
}
