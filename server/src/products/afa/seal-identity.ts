import type { SealedColumn } from '../../platform/secrets/rotate-secrets.ts'
import { sealSecret, unsealSecret } from '../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import type { AfaRegisterBody } from './afa.schemas.ts'

const identityColumn = { table: 'afa_registrations', column: 'identity' } as const

/** The sealed column of this product, for the rotation of keys. */
export const sealedIdentityColumns: readonly SealedColumn[] = [{ ...identityColumn, idColumn: 'order_id', idType: 'uuid' }]

/** The applicant of an order: all fields of the request except its reference. */
export type AfaIdentity = Omit<AfaRegisterBody, 'reference'>

export function sealIdentity(keys: SecretsKeys, orderId: string, identity: AfaIdentity): string {
  const { full_name, phone, id_type, id_number, date_of_birth, region, location, notes } = identity
  const text = JSON.stringify({ full_name, phone, id_type, id_number, date_of_birth, region, location, notes })
  return sealSecret(keys, text, { ...identityColumn, rowId: orderId })
}

/** @throws SecretUnreadableError when it was altered, moved, or its key is not given */
export function unsealIdentity(keys: SecretsKeys, orderId: string, sealed: string): AfaIdentity {
  return JSON.parse(unsealSecret(keys, sealed, { ...identityColumn, rowId: orderId })) as AfaIdentity
}
