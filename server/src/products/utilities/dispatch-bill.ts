import { faceValueExpectation } from '../../money/expected-cost.ts'
import type { Fulfilment } from '../../orders/fulfilment.ts'
import { pesewasOf } from '../../orders/order.ts'
import { listSuppliersByRoutes } from '../../orders/queries/list-suppliers-by-routes.ts'
import { paysBills } from '../../suppliers/ports.ts'
import { readBillDetails, utilitiesKind } from './utilities.kind.ts'

/** Pays bills through any supplier that pays bills and has a route for the biller. */
export const billFulfilment: Fulfilment = {
  product: 'utilities',
  titleOf: (order) => `bill ${readBillDetails(order).biller}`,
  costs: faceValueExpectation('utilities'),
  listCapableSuppliers: (db, orders) => listSuppliersByRoutes(db, 'utilities', orders, (order) => readBillDetails(order).biller),
  async send(supplier, order, attempt, signal) {
    const { biller, phone } = readBillDetails(order)
    if (!paysBills(supplier)) {
      return { meaning: 'rejected_platform', cause: 'disabled', evidence: `${supplier.name} pays no bills` }
    }
    const request = {
      biller,
      account: order.recipient,
      phone: phone ?? undefined,
      amountPesewas: pesewasOf(utilitiesKind, order),
    }
    const answer = await supplier.payBill(request, attempt, signal)
    // Bills never wait for a registration, so `not_registered` means that the account was refused.
    return answer.meaning === 'not_registered' ? { ...answer, meaning: 'rejected_recipient' } : answer
  },
}
