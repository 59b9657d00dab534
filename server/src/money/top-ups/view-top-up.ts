import type { TopUpRow } from './read-top-up.ts'

export function viewTopUp(row: TopUpRow, hasPicture: boolean) {
  return {
    topUpId: row.id,
    reference: row.reference,
    way: row.way,
    state: row.state,
    amountPesewas: row.amount,
    feePesewas: row.fee,
    chargedPesewas: row.amount + row.fee,
    said: row.said,
    reason: row.reason,
    // The address of the payment page, while the payment may still be made there.
    paymentUrl: row.state === 'pending' ? row.payment_url : null,
    payerPhone: row.payer_phone,
    transferReference: row.transfer_reference,
    note: row.note,
    hasPicture,
    madeBy: row.made_by,
    isByFloor: row.is_by_floor,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
  }
}
