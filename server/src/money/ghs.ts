import type { TNumber, TNumberOptions } from 'typebox'
import { RefusalError, refusals } from '../platform/http/refusals.ts'
import { type WireCodec, WithCodec } from '../platform/operations/fields.ts'
import { amountProblem, formatGhs, ghs, type Pesewas, pesewasFromGhs } from './pesewas.ts'

export const ghsCodec: WireCodec<Pesewas> = {
  unit: 'Pesewas',
  encode: ghs,
  decode(amount: number) {
    const read = pesewasFromGhs(amount)
    if (read === undefined) throw new RefusalError(refusals.invalidRequest(`The amount ${amountProblem(amount)}.`))
    return read
  },
  show: formatGhs,
}

/** An amount: whole pesewas in the code (`pricePesewas`), GHS on the wire (`price`). */
export const Ghs = (options: TNumberOptions | TNumber = {}) => WithCodec({ ...options, type: 'number' } as const, ghsCodec)
