import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretsKey, SecretsKeys } from '../platform/secrets/secrets-keys.ts'

/** The secret part of the address, known only to us and to the supplier of this attempt. */
function makeToken(key: SecretsKey, supplier: string, outgoingReference: string): Buffer {
  // JSON separates the parts, so two different pairs never give the same bytes.
  return createHmac('sha256', key.callbackKey)
    .update(JSON.stringify([supplier, outgoingReference]))
    .digest()
}

/**
 * The address to which a supplier with unsigned callbacks reports one attempt: `<public URL>/callbacks/<supplier>/<our
 * reference>/<HMAC-SHA256 of both>`. Every process calculates the same address from the secrets key, so nothing is
 * stored for it.
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

/**
 * Checks that a callback came to an address of `callbackUrl`, made with the present key or an older one. Compares in
 * constant time.
 */
export function isCallbackAddress(keys: SecretsKeys, supplier: string, outgoingReference: string, token: string): boolean {
  const given = Buffer.from(token, 'base64url')
  const isFaithful = given.toString('base64url') === token
  return [...keys.byId.values()].some((key) => {
    const wanted = makeToken(key, supplier, outgoingReference)
    return isFaithful && given.length === wanted.length && timingSafeEqual(given, wanted)
  })
}
