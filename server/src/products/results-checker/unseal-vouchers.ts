import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../platform/database/database.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { type SealedVoucher, unsealVoucher, type VoucherSecrets } from './seal-voucher.ts'

/** How many vouchers are unsealed before other requests get a turn. */
const unsealedAtOnce = 500

/** An unsealed voucher. It is never logged, and never stored in the clear. */
export type UnsealedVoucher = VoucherSecrets & { readonly id: string }

/** Unseals vouchers in their order. @throws SecretUnreadableError when one cannot be unsealed */
export async function unsealVouchers(keys: SecretsKeys, sealed: readonly SealedVoucher[]): Promise<UnsealedVoucher[]> {
  const unsealed: UnsealedVoucher[] = []
  for (const [index, row] of sealed.entries()) {
    if (index > 0 && index % unsealedAtOnce === 0) await setImmediate()
    unsealed.push({ id: row.id, ...unsealVoucher(keys, row) })
  }
  return unsealed
}

/**
 * Reads and unseals the vouchers of an order, the oldest first: always the same ones in the same order.
 *
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
