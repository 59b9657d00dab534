import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretsKey, SecretsKeys } from '../platform/secrets/secrets-keys.ts'

/** The part of the address that nobody but us and the supplier of this attempt can know. */
function makeToken(key: SecretsKey, supplier: string, outgoingReference: string): Buffer {
  // JSON keeps the parts apart: no two pairs share the same bytes.
  return createHmac('sha256', key.callbackKey)
    .update(JSON.stringify([supplier, outgoingReference]))
    .digest()
}

/**
 * Where a supplier whose callbacks are unsigned is to report one attempt:
 * `<public URL>/callbacks/<supplier>/<our reference>/<HMAC-SHA256 of both>`. Every process derives the same
 * address from the secrets key, so that nothing is stored for it.
 */
export function callbackUrl(
  deps: { readonly config: { readonly publicUrl: string }; readonly secretsKeys: SecretsKeys },
  supplier: string,
  outgoingReference: string,
): string {
  const token = makeToken(deps.secretsKeys.current, supplier, outgoingReference).toString('base64url')
  const path = [supplier, outgoingReference, token].map(encodeURIComponent).join('/')
  return `${deps.config.publicUrl}/callbacks/${path}`
}

/** Whether a callback came to the address that `callbackUrl` made, also before the key was rotated. In constant time. */
export function isCallbackAddress(keys: SecretsKeys, supplier: string, outgoingReference: string, token: string): boolean {
  const given = Buffer.from(token, 'base64url')
  const isFaithful = given.toString('base64url') === token
  return [...keys.byId.values()].some((key) => {
    const wanted = makeToken(key, supplier, outgoingReference)
    return isFaithful && given.length === wanted.length && timingSafeEqual(given, wanted)
  })
}
