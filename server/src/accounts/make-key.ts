import { hash, randomInt } from 'node:crypto'
import type { KeyType } from './caller.ts'

/** Letters and digits that are not confused when they are read aloud or copied by hand: no l, o, 0, 1. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/**
 * 36 characters of 5 bits are 180 random bits. Lists show the last four characters as a hint, which leaves 160 bits that
 * nobody sees after the key was made.
 */
const secretLength = 36
const hintLength = 4

const middles: Readonly<Record<KeyType, string>> = { standard: '', sms: 'sms_', commission: 'cs_' }

/** The text before the secret of a key, such as `makola_cs_live_`, or `makola_cs_test_` on the test side. */
export function keyPrefixOf(prefix: string, type: KeyType, isTest = false): string {
  return `${prefix}_${middles[type]}${isTest ? 'test' : 'live'}_`
}

/** Makes a check that is true for a text that begins as the keys of the test side do. */
export function createTestKeyCheck(prefix: string): (text: string) => boolean {
  const beginnings = (Object.keys(middles) as KeyType[]).map((type) => keyPrefixOf(prefix, type, true))
  return (text) => beginnings.some((beginning) => text.startsWith(beginning))
}

/** Makes a key such as `makola_cs_live_…` (contract, Authentication), or `makola_cs_test_…` on the test side. */
export function makeKey(prefix: string, type: KeyType, isTest = false): string {
  let secret = ''
  while (secret.length < secretLength) secret += alphabet[randomInt(alphabet.length)]
  return `${keyPrefixOf(prefix, type, isTest)}${secret}`
}

/**
 * SHA-256 of a key in hexadecimal. Only this is stored, with the key's prefix and its last characters. The others have so many
 * random bits that nobody can guess them from the digest.
 */
export function keyDigest(key: string): string {
  return hash('sha256', key, 'hex')
}

/** The last characters of a key, by which its owner recognises it. */
export function keyHint(key: string): string {
  return key.slice(-hintLength)
}
