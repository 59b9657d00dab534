import { ghs, type Pesewas } from '../../money/pesewas.ts'
import { type Order, pesewasOf } from '../../orders/order.ts'
import { airtimeKind, readAirtimeDetails } from './airtime.kind.ts'
import type { AirtimeStatus } from './airtime.schemas.ts'

/** An airtime order in a list (contract, Airtime order). */
export function viewListedAirtimeOrder(order: Order) {
  return {
    order_id: order.id,
    reference: order.reference,
    status: order.status as AirtimeStatus,
    network: readAirtimeDetails(order).network,
    airtime_amount: ghs(pesewasOf(airtimeKind, order)),
  }
}

/** An airtime order as the look-up by its reference answers it. */
export function viewAirtimeOrder(order: Order) {
  return { ...viewListedAirtimeOrder(order), beneficiary_phone: order.recipient, fee_amount: 0 as const }
}

/** The answer to a purchase of airtime (contract, POST /airtime/purchase). */
export function viewAirtimePurchase(order: Order, balancePesewas: Pesewas, reason: string | undefined) {
  return {
    ...viewAirtimeOrder(order),
    total_paid: ghs(pesewasOf(airtimeKind, order)),
    new_balance: ghs(balancePesewas),
    ...(reason === undefined ? {} : { reason }),
  }
}
