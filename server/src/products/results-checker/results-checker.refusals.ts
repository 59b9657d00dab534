import { type Refusals, refuse } from '../../platform/http/refusals.ts'

export const voucherRefusals = {
  voucherTypeNotFound: refuse(404, 'voucher_type_not_found', 'No voucher type on sale was found for this typeId.'),
  voucherStockShort: (available: number) =>
    refuse(400, 'voucher_stock_short', `Not enough vouchers of this type: ${available} available. This try charged nothing.`),
  voucherQuantityTooLarge: (maximum: number) => refuse(400, 'voucher_quantity_too_large', `quantity must be at most ${maximum}.`),
} as const satisfies Refusals
