import type { Db } from '../../platform/database/database.ts'
import { mapInPieces } from '../../platform/in-pieces.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { type SealedVoucher, unsealVoucher, type VoucherSecrets } from './seal-voucher.ts'

/** An unsealed voucher. It is never logged, and never stored in the clear. */
export type UnsealedVoucher = VoucherSecrets & { readonly id: string }

/**
 * Unseals vouchers. The result keeps the order of the list.
 * @throws SecretUnreadableError when one cannot be unsealed
 */
export function unsealVouchers(keys: SecretsKeys, sealed: readonly SealedVoucher[]): Promise<UnsealedVoucher[]> {
  return mapInPieces(sealed, (row) => ({ id: row.id, ...unsealVoucher(keys, row) }))
}

/**
 * Reads and unseals the vouchers of an order, oldest first: always the same ones in the same order.
 * @throws SecretUnreadableError when one cannot be unsealed
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
