import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** 256 bits: AES-256. */
const keyBytes = 32

/**
 * One key, split by HKDF (RFC 5869) into separate keys for each purpose. Those for encryption and hashes are key objects:
 * several times faster to use than bytes, and never printed by accident.
 */
export type SecretsKey = {
  /** Eight hexadecimal digits derived from the key. Every ciphertext holds them; they reveal nothing about the key. */
  readonly id: string
  readonly encryptionKey: KeyObject
  readonly hashingKey: KeyObject
  /** Signs the addresses to which suppliers and payment gateways call back. */
  readonly callbackKey: Buffer
  /** Signs the sessions and the known devices of persons, and encrypts their second factors. */
  readonly personsKey: Buffer
}

/**
 * The keys of an installation. The first one seals; all of them can unseal, so that a key can be replaced while old
 * rows remain.
 */
export type SecretsKeys = {
  readonly current: SecretsKey
  readonly byId: ReadonlyMap<string, SecretsKey>
}

/** A key that is missing, unreadable or not the one that sealed the database's secrets. */
export class SecretsKeyError extends Error {
  override readonly name = 'SecretsKeyError'
}

function derive(key: Buffer, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `makola ${purpose}`, length))
}

function secretsKey(base64: string, origin: string): SecretsKey {
  // Both alphabets of base64 are accepted (RFC 4648, sections 4 and 5).
  const standard = base64.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  const key = Buffer.from(standard, 'base64')
  // `Buffer.from` ignores characters that are not base64, so a mistyped key would be read as another key.
  const isFaithful = key.toString('base64').replace(/=+$/, '') === standard
  if (!isFaithful || key.length !== keyBytes) {
    throw new SecretsKeyError(
      `${origin} must hold ${keyBytes} bytes in base64. Make one with \`openssl rand -base64 ${keyBytes}\`.`,
    )
  }
  return {
    id: derive(key, 'key id', 4).toString('hex'),
    encryptionKey: createSecretKey(derive(key, 'encryption', keyBytes)),
    hashingKey: createSecretKey(derive(key, 'hashing', keyBytes)),
    callbackKey: derive(key, 'callbacks', keyBytes),
    personsKey: derive(key, 'persons', keyBytes),
  }
}

/**
 * Reads one or several keys in base64, separated by commas or white space; the first one seals.
 *
 * @param origin the source of the text, for the error: `SECRETS_KEY`
 * @throws SecretsKeyError when a key does not have 32 bytes or there is none; never repeats the text
 */
export function parseSecretsKeys(text: string, origin: string): SecretsKeys {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => secretsKey(part, origin))
  const [current] = keys
  if (!current) throw new SecretsKeyError(`${origin} is empty.`)
  return { current, byId: new Map(keys.map((key) => [key.id, key])) }
}
