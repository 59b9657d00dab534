import { type Pesewas, pesewas } from '../../../money/pesewas.ts'

/** A change of many prices at once: each by a percentage, or by the same amount. */
export type PriceShift = {
  /** Hundredths of a percent, or pesewas. Negative: prices fall. */
  readonly by: { readonly basisPoints: number } | { readonly pesewas: Pesewas }
  /** Prices are rounded to a multiple of this many pesewas; half-way values go up. */
  readonly roundTo: 1 | 5 | 10
}

const wholeInBasisPoints = 10_000n

/**
 * Applies a shift to a price, in integer arithmetic, and rounds the result. The caller must refuse a result of 0 or below.
 * @throws RangeError when the result is not a safe integer
 */
export function shiftPrice(price: Pesewas, { by, roundTo }: PriceShift): Pesewas {
  const tenThousandths =
    'basisPoints' in by
      ? BigInt(price) * (wholeInBasisPoints + BigInt(by.basisPoints))
      : (BigInt(price) + BigInt(by.pesewas)) * wholeInBasisPoints
  const step = BigInt(roundTo) * wholeInBasisPoints
  const doubled = 2n * tenThousandths + step
  // BigInt division rounds towards 0, which is wrong for a negative price. But callers refuse such prices.
  return pesewas(Number((doubled / (2n * step)) * BigInt(roundTo)))
}
