import { ghs, pesewas } from '../../money/pesewas.ts'
import { type Order, pesewasOf } from '../../orders/order.ts'
import { readVoucherDetails, vouchersAreSold } from './results-checker.kind.ts'
import type { VoucherOrderStatus } from './results-checker.schemas.ts'
import type { UnsealedVoucher } from './unseal-vouchers.ts'

/** An order of vouchers as its owner sees it (contract, Results checker). */
export function viewVoucherOrder(order: Order) {
  const details = readVoucherDetails(order)
  return {
    id: order.id,
    reference: order.reference,
    status: order.status as VoucherOrderStatus,
    type_name: details.typeName,
    quantity: details.quantity,
    unit_price: ghs(pesewas(details.unitPricePesewas)),
    total_paid: ghs(pesewasOf(vouchersAreSold, order)),
  }
}

/** A voucher as its buyer sees it. */
export function viewVoucher({ id, pin, serialNumber }: UnsealedVoucher) {
  return { id, pin, serial_number: serialNumber }
}
