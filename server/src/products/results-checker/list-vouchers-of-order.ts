import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../platform/database/database.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { openVoucher, type VoucherSecrets } from './seal-voucher.ts'

/** Opened in one go; then other requests get their turn. */
const openedAtOnce = 500

/** A voucher in the clear. For its buyer's eyes only: never logged, never kept. */
export type OpenedVoucher = VoucherSecrets & { readonly id: string }

/**
 * Opens the vouchers of an order, the oldest first: always the same ones in the same order.
 *
 * @throws SecretUnreadableError when one does not open
 */
export async function listVouchersOfOrder(db: Db, keys: SecretsKeys, orderId: string): Promise<OpenedVoucher[]> {
  const rows = await db
    .selectFrom('vouchers')
    .select(['id', 'pin', 'serial_number'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
  const opened: OpenedVoucher[] = []
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % openedAtOnce === 0) await setImmediate()
    opened.push({ id: row.id, ...openVoucher(keys, row) })
  }
  return opened
}
