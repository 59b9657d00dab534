import type { Db } from '../platform/database/database.ts'
import { commissionTermsOf } from './commission-terms.ts'
import type { Pesewas } from './pesewas.ts'
import { partOf } from './split-commission.ts'

/** An order, as far as its cost depends on it. */
export type CostedOrder = {
  readonly orderId: string
  readonly pricePesewas: Pesewas
  readonly details: Readonly<Record<string, unknown>>
}

/**
 * The expected cost of an order at a supplier, and the commission that the supplier should pay us. Null when it is not
 * known.
 */
export type ExpectedCost = { readonly costPesewas: Pesewas | null; readonly commissionPesewas: Pesewas | null }

/** How a product says what its orders should cost at a supplier. */
export type CostExpectation = {
  /** The order kind it speaks for. */
  readonly kind: string
  expect(db: Db, supplier: string, orders: readonly CostedOrder[]): Promise<ReadonlyMap<string, ExpectedCost>>
}

/** The expected cost of products that are bought at face value and earn commission: airtime and bills. */
export function faceValueExpectation(kind: string): CostExpectation {
  return {
    kind,
    expect: (_db, _supplier, orders) =>
      Promise.resolve(
        new Map(
          orders.map(({ orderId, pricePesewas, details }) => {
            const terms = commissionTermsOf(details)
            const commissionPesewas = terms ? partOf(pricePesewas, terms.rateBasisPoints) : null
            return [orderId, { costPesewas: pricePesewas, commissionPesewas }]
          }),
        ),
      ),
  }
}
