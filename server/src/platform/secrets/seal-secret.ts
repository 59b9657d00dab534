import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { SecretsKey, SecretsKeys } from './secrets-keys.ts'

export type SecretColumn = { readonly table: string; readonly column: string }

/**
 * The place of a stored secret. It is authenticated together with the ciphertext, so a ciphertext that was moved to another
 * place cannot be unsealed.
 */
export type SecretLocation = SecretColumn & { readonly rowId: string }

/** A ciphertext that cannot be unsealed here. The message names the place, but neither the cause nor any of the content. */
export class SecretUnreadableError extends Error {
  override readonly name = 'SecretUnreadableError'
  constructor(place: SecretLocation) {
    super(
      `The secret in ${place.table}.${place.column} cannot be read: it was altered or moved, or its key is not the one given (row ${place.rowId}).`,
    )
  }
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** JSON separates the parts, so two places never give the same bytes, whatever a row's id contains. */
function placeBytes(place: SecretLocation, key: SecretsKey): Buffer {
  return Buffer.from(JSON.stringify(['v1', key.id, place.table, place.column, place.rowId]))
}

/**
 * Encrypts a text with AES-256-GCM (NIST SP 800-38D) for one place in the database.
 *
 * @returns `v1.<key id>.<nonce, ciphertext and tag in base64url>`
 */
export function sealSecret(keys: SecretsKeys, plaintext: string, place: SecretLocation): string {
  const key = keys.current
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key.encryptionKey, nonce, { authTagLength: tagBytes })
  cipher.setAAD(placeBytes(place, key))
  const sealed = Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `v1.${key.id}.${sealed.toString('base64url')}`
}

/**
 * Unseals a text that `sealSecret` sealed for the same place.
 *
 * @throws SecretUnreadableError when it was altered, cut, moved, or sealed with a key that is not given
 */
export function unsealSecret(keys: SecretsKeys, ciphertext: string, place: SecretLocation): string {
  const [version, keyId, body, ...rest] = ciphertext.split('.')
  const key = keys.byId.get(keyId ?? '')
  if (version !== 'v1' || !key || body === undefined || rest.length > 0) throw new SecretUnreadableError(place)
  const sealed = Buffer.from(body, 'base64url')
  if (sealed.length < nonceBytes + tagBytes || sealed.toString('base64url') !== body) throw new SecretUnreadableError(place)
  const decipher = createDecipheriv(algorithm, key.encryptionKey, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(placeBytes(place, key))
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return decipher.update(sealed.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    // The cipher's own error is left out, because it could help somebody who forges texts.
    throw new SecretUnreadableError(place)
  }
}

/** The beginning of every ciphertext that was sealed with the current key. */
export function currentSealPrefix(keys: SecretsKeys): string {
  return `v1.${keys.current.id}.`
}

/**
 * A keyed hash (HMAC-SHA256) for a column in which equal secrets must be found without unsealing them, such as the serial
 * numbers of vouchers. Without the key nobody can try guesses against it.
 */
export function hashSecret(keys: SecretsKeys, plaintext: string, column: SecretColumn): Buffer {
  return hashWith(keys.current, plaintext, column)
}

/**
 * The keyed hash under every given key, the current one first: to look for an equal secret while some rows still have the
 * hash of an older key.
 */
export function hashSecretWithEachKey(keys: SecretsKeys, plaintext: string, column: SecretColumn): Buffer[] {
  const older = [...keys.byId.values()].filter((key) => key.id !== keys.current.id)
  return [keys.current, ...older].map((key) => hashWith(key, plaintext, column))
}

function hashWith(key: SecretsKey, plaintext: string, { table, column }: SecretColumn): Buffer {
  return createHmac('sha256', key.hashingKey)
    .update(JSON.stringify([table, column]))
    .update(plaintext, 'utf8')
    .digest()
}
