import type { SealedColumn } from '../../platform/secrets/rotate-secrets.ts'
import { type SecretLocation, sealSecret, unsealSecret } from '../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { asObject } from '../calling/read-json.ts'

/** Our credentials at a supplier, by name, sealed in the supplier's row. */
export type SupplierCredentials = Readonly<Record<string, string>>

const credentialsColumn = { table: 'suppliers', column: 'credentials' } as const

export const sealedSupplierColumns: readonly SealedColumn[] = [
  { ...credentialsColumn, idColumn: 'name', idType: 'text' },
  {
    table: 'proposed_supplier_credentials',
    column: 'credentials',
    idColumn: 'name',
    idType: 'text',
    sealedFor: credentialsColumn,
  },
]

function secretLocationOf(supplier: string): SecretLocation {
  return { ...credentialsColumn, rowId: supplier }
}

/** Seals credentials for `suppliers.credentials`. They can be unsealed only with the name of this supplier. */
export function sealCredentials(keys: SecretsKeys, supplier: string, credentials: SupplierCredentials): string {
  return sealSecret(keys, JSON.stringify(credentials), secretLocationOf(supplier))
}

/**
 * Unseals `suppliers.credentials`; an empty set when there are none yet.
 * @throws SecretUnreadableError when they cannot be unsealed with our keys
 */
export function unsealCredentials(keys: SecretsKeys, supplier: string, sealed: string | null): SupplierCredentials {
  if (sealed === null) return {}
  const parsed = asObject(JSON.parse(unsealSecret(keys, sealed, secretLocationOf(supplier))))
  return Object.fromEntries(Object.entries(parsed ?? {}).map(([name, value]) => [name, String(value)]))
}
