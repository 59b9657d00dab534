import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from '../database/database.ts'
import type { SealedColumn } from '../secrets/rotate-secrets.ts'
import { sealSecret, unsealSecret } from '../secrets/seal-secret.ts'
import type { SecretsKeys } from '../secrets/secrets-keys.ts'

/** Hashes that replace phone numbers once these are forgotten. They need a secret key, so nobody else can try out numbers. */
export type NumberHash = {
  /** Hashes a phone number in the form that orders store (`0241234567`), a meter number or an e-mail address. */
  readonly hashNumber: (number: string) => Buffer
  /** Hashes a request's fingerprint, from hexadecimal to hexadecimal of the same length. */
  readonly keyFingerprint: (fingerprint: string) => string
}

const keyName = 'numbers'
const keyBytes = 32

/**
 * HMAC-SHA-256 cut to 128 bits (RFC 2104, section 5): in practice two numbers never share a hash, and an index of it is half as
 * large.
 */
const hashBytes = 16

const keyColumn = { table: 'number_keys', column: 'key', idColumn: 'name', idType: 'text' } as const satisfies SealedColumn

/** The sealed column of this folder, for the rotation of keys. */
export const sealedNumberKeys: readonly SealedColumn[] = [keyColumn]

function createNumberHash(secretsKeys: SecretsKeys, sealed: string): NumberHash {
  const key = Buffer.from(unsealSecret(secretsKeys, sealed, { ...keyColumn, rowId: keyName }), 'base64')
  const hash = (purpose: string, text: string) => createHmac('sha256', key).update(`${purpose} ${text}`).digest()
  return {
    hashNumber: (number) => hash('number', number).subarray(0, hashBytes),
    keyFingerprint: (fingerprint) => hash('fingerprint', fingerprint).toString('hex').slice(0, fingerprint.length),
  }
}

/** Opens the hashes. Undefined while the installation has no key, and so no forgotten number. */
export async function findNumberHash(db: Db, openSecrets: () => Promise<SecretsKeys>): Promise<NumberHash | undefined> {
  const row = await db.selectFrom('number_keys').select('key').where('name', '=', keyName).executeTakeFirst()
  return row && createNumberHash(await openSecrets(), row.key)
}

/**
 * Opens the hashes of this installation, and makes their key at the first time.
 * @throws SecretUnreadableError when the key was sealed with a secrets key that is not given
 */
export async function openNumberHash(db: Db, secretsKeys: SecretsKeys): Promise<NumberHash> {
  const known = await findNumberHash(db, () => Promise.resolve(secretsKeys))
  if (known) return known
  const key = sealSecret(secretsKeys, randomBytes(keyBytes).toString('base64'), { ...keyColumn, rowId: keyName })
  await db
    .insertInto('number_keys')
    .values({ name: keyName, key })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Another process may have made one at the same moment.
  return openNumberHash(db, secretsKeys)
}
