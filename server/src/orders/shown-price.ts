import Type from 'typebox'
import { type Pesewas, pesewas, pesewasFromGhs } from '../money/pesewas.ts'
import { decimalsKeyword } from '../platform/http/describe-schema-error.ts'

/** The price that the screen showed to the person who buys. Requests of resellers' programs lack it. */
export const ShownPrice = Type.Number({
  minimum: 0,
  maximum: 1_000_000_000,
  [decimalsKeyword]: 2,
  description: 'What the person was shown that this costs, in GHS. At any other price nothing is bought: 409 names the new one.',
  examples: [4.5],
})

/** The schema refuses more than two decimals, so the amount is in whole pesewas. */
export const shownPriceOf = ({ price }: { readonly price: number }): Pesewas => pesewasFromGhs(price) ?? pesewas(0)
