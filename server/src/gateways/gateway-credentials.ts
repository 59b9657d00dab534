import type { SealedColumn } from '../platform/secrets/rotate-secrets.ts'
import { type SecretLocation, SecretUnreadableError, sealSecret, unsealSecret } from '../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { parseObject } from './read-object.ts'

const credentialsColumn = { table: 'gateways', column: 'credentials' } as const

/** The sealed columns of this folder, for the rotation of keys. */
export const sealedGatewayColumns: readonly SealedColumn[] = [
  { ...credentialsColumn, idColumn: 'name', idType: 'text' },
  {
    table: 'proposed_gateway_credentials',
    column: 'credentials',
    idColumn: 'name',
    idType: 'text',
    sealedFor: credentialsColumn,
  },
]

function placeOf(gateway: string): SecretLocation {
  return { ...credentialsColumn, rowId: gateway }
}

/** Seals the credentials of a gateway. They can be unsealed only in its row. */
export function sealGatewayCredentials(
  keys: SecretsKeys,
  gateway: string,
  credentials: Readonly<Record<string, string>>,
): string {
  return sealSecret(keys, JSON.stringify(credentials), placeOf(gateway))
}

/**
 * Unseals the credentials of a gateway's row; undefined when they were altered or moved, or their key is not given.
 */
export function readGatewayCredentials(keys: SecretsKeys, gateway: string, sealed: string): Record<string, string> | undefined {
  try {
    const parsed = parseObject(unsealSecret(keys, sealed, placeOf(gateway))) ?? {}
    return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]))
  } catch (error) {
    if (error instanceof SecretUnreadableError) return undefined
    throw error
  }
}
