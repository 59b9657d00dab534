import type { Db } from '../platform/database/database.ts'
import { commissionTermsOf, partOf } from './commission-terms.ts'
import type { Pesewas } from './pesewas.ts'

/** The fields of an order that its cost depends on. */
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

/** Calculates the expected costs of one product's orders. */
export type CostExpectation = {
  readonly kind: string
  expect(db: Db, supplier: string, orders: readonly CostedOrder[]): Promise<ReadonlyMap<string, ExpectedCost>>
}

/** Calculates the costs of products that are bought at face value and earn commission: airtime and bills. */
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
