import { ghs } from '../../money/pesewas.ts'
import { pesewasOf } from '../../orders/order.ts'
import type { BillerCatalogue } from './biller-catalogue.ts'
import type { BillPaymentResult } from './pay-bill.ts'
import { readBillDetails, utilitiesKind } from './utilities.kind.ts'
import type { BillerKey, UtilityStatus } from './utilities.schemas.ts'

/** The pay response, or the small form of a replay (contract, Utilities, 4). */
export function viewPayment(paid: BillPaymentResult) {
  const { order } = paid
  const placed = { reference: order.reference, order_id: order.id, status: order.status as UtilityStatus }
  if (paid.isReplay) return { ...placed, already_processed: true as const }
  const details = readBillDetails(order)
  return {
    ...placed,
    biller: details.biller,
    account: order.recipient,
    amount: ghs(pesewasOf(utilitiesKind, order)),
    commission_share_percent: details.commission.shareBasisPoints / 100,
    new_balance: ghs(paid.balancePesewas),
  }
}

/**
 * Removes from an unchecked body a phone that the biller does not need, so that it is ignored whatever its form (decision U2).
 */
export async function dropUnaskedPhone(billers: () => Promise<BillerCatalogue>, body: unknown): Promise<void> {
  if (typeof body !== 'object' || body === null || !('biller' in body) || !('phone' in body)) return
  const biller = (await billers()).get(body.biller as BillerKey)
  if (biller && !biller.requiresPhone) delete body.phone
}
