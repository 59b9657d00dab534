import type { Db } from '../../platform/database/database.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { type UnsealedVoucher, unsealVouchers } from './unseal-vouchers.ts'

/**
 * Opens the vouchers of an order, the oldest first: always the same ones in the same order.
 *
 * @throws SecretUnreadableError when one does not open
 */
export async function listVouchersOfOrder(db: Db, keys: SecretsKeys, orderId: string): Promise<UnsealedVoucher[]> {
  const rows = await db
    .selectFrom('vouchers')
    .select(['id', 'pin', 'serial_number'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
  return unsealVouchers(keys, rows)
}
