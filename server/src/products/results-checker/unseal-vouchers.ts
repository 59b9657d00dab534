import { setImmediate } from 'node:timers/promises'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { type SealedVoucher, unsealVoucher, type VoucherSecrets } from './seal-voucher.ts'

/** Unsealed in one go; then other requests get their turn. */
const unsealedAtOnce = 500

/** A voucher in the clear. For its buyer's eyes only: never logged, never kept. */
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
