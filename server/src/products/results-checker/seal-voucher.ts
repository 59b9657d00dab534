import type { SealedColumn } from '../../platform/secrets/rotate-secrets.ts'
import { hashSecretWithEachKey, sealSecret, unsealSecret } from '../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'

const pinColumn = { table: 'vouchers', column: 'pin' } as const
const serialNumberColumn = { table: 'vouchers', column: 'serial_number' } as const

const row = { idColumn: 'id', idType: 'uuid' } as const

/** The sealed columns of this product, for the rotation of keys. */
export const sealedVoucherColumns: readonly SealedColumn[] = [
  { ...pinColumn, ...row, hashColumn: 'pin_hash' },
  { ...serialNumberColumn, ...row, hashColumn: 'serial_number_hash' },
  // Withdrawn vouchers stay sealed as they were in the stock.
  { ...row, table: 'withdrawn_vouchers', column: 'pin', hashColumn: 'pin_hash', sealedFor: pinColumn },
  {
    ...row,
    table: 'withdrawn_vouchers',
    column: 'serial_number',
    hashColumn: 'serial_number_hash',
    sealedFor: serialNumberColumn,
  },
]

export type VoucherSecrets = { readonly pin: string; readonly serialNumber: string }

export function sealVoucher(keys: SecretsKeys, id: string, { pin, serialNumber }: VoucherSecrets): VoucherSecrets {
  return {
    pin: sealSecret(keys, pin, { ...pinColumn, rowId: id }),
    serialNumber: sealSecret(keys, serialNumber, { ...serialNumberColumn, rowId: id }),
  }
}

/** Hashes the PIN and the serial number of a voucher, in hexadecimal: once per key, with the current key first. */
export function hashVoucher(keys: SecretsKeys, { pin, serialNumber }: VoucherSecrets) {
  const inHexadecimal = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'))
  return {
    pins: inHexadecimal(hashSecretWithEachKey(keys, pin, pinColumn)),
    serialNumbers: inHexadecimal(hashSecretWithEachKey(keys, serialNumber, serialNumberColumn)),
  }
}

export type SealedVoucher = { readonly id: string; readonly pin: string; readonly serial_number: string }

/** @throws SecretUnreadableError when a text was altered or moved to another row, or its key is missing */
export function unsealVoucher(keys: SecretsKeys, row: SealedVoucher): VoucherSecrets {
  return {
    pin: unsealSecret(keys, row.pin, { ...pinColumn, rowId: row.id }),
    serialNumber: unsealSecret(keys, row.serial_number, { ...serialNumberColumn, rowId: row.id }),
  }
}
