import { setImmediate } from 'node:timers/promises'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { openVoucher, type SealedVoucher, type VoucherSecrets } from './seal-voucher.ts'

/** Opened in one go; then other requests get their turn. */
const openedAtOnce = 500

/** A voucher in the clear. For its buyer's eyes only: never logged, never kept. */
export type OpenedVoucher = VoucherSecrets & { readonly id: string }

/** Opens vouchers in their order. @throws SecretUnreadableError when one does not open */
export async function openVouchers(keys: SecretsKeys, sealed: readonly SealedVoucher[]): Promise<OpenedVoucher[]> {
  const opened: OpenedVoucher[] = []
  for (const [index, row] of sealed.entries()) {
    if (index > 0 && index % openedAtOnce === 0) await setImmediate()
    opened.push({ id: row.id, ...openVoucher(keys, row) })
  }
  return opened
}
