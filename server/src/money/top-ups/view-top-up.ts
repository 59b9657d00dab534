import { ghs, pesewas } from '../pesewas.ts'
import type { TopUpRow } from './read-top-up.ts'

/** Amounts in GHS. */
export function viewTopUp(row: TopUpRow, hasPicture: boolean) {
  return {
    top_up_id: row.id,
    reference: row.reference,
    way: row.way,
    state: row.state,
    amount: ghs(pesewas(row.amount)),
    fee: ghs(pesewas(row.fee)),
    charged: ghs(pesewas(row.amount + row.fee)),
    said: row.said,
    reason: row.reason,
    // The address of the payment page, while the payment may still be made there.
    payment_url: row.state === 'pending' ? row.payment_url : null,
    payer_phone: row.payer_phone,
    transfer_reference: row.transfer_reference,
    note: row.note,
    has_picture: hasPicture,
    made_by: row.made_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}
