import { faceValueExpectation } from '../../money/expected-cost.ts'
import type { Fulfilment } from '../../orders/fulfilment.ts'
import { pesewasOf } from '../../orders/order.ts'
import { listSuppliersByRoutes } from '../../orders/queries/list-suppliers-by-routes.ts'
import { sellsAirtime } from '../../suppliers/ports.ts'
import { airtimeKind, readAirtimeDetails } from './airtime.kind.ts'

/** Fulfils airtime through any supplier of airtime with a route for the network. */
export const airtimeFulfilment: Fulfilment = {
  product: 'airtime',
  titleOf: (order) => `airtime ${readAirtimeDetails(order).network}`,
  costs: faceValueExpectation('airtime'),
  listCapableSuppliers: (db, orders) =>
    listSuppliersByRoutes(db, 'airtime', orders, (order) => readAirtimeDetails(order).network),
  async send(supplier, order, attempt, signal) {
    const { network } = readAirtimeDetails(order)
    if (!sellsAirtime(supplier)) {
      return { meaning: 'rejected_platform', cause: 'disabled', evidence: `${supplier.name} does not sell airtime` }
    }
    const request = { network, recipient: order.recipient, amountPesewas: pesewasOf(airtimeKind, order) }
    const answer = await supplier.buyAirtime(request, attempt, signal)
    // Airtime never waits for a registration, so `not_registered` means that the number was refused.
    return answer.meaning === 'not_registered' ? { ...answer, meaning: 'rejected_recipient' } : answer
  },
}
