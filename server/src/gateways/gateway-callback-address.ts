import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretsKey, SecretsKeys } from '../platform/secrets/secrets-keys.ts'

/** The secret part of the address, known only to us and to the gateway of this payment. */
function makeToken(key: SecretsKey, gateway: string, reference: string): Buffer {
  return createHmac('sha256', key.callbackKey)
    .update(JSON.stringify(['gateway', gateway, reference]))
    .digest()
}

/**
 * The callback address of one payment at a gateway that signs nothing: `<public URL>/callbacks/<gateway>/<our
 * reference>/<HMAC-SHA256 of both>`. Every process calculates the same address, so nothing is stored for it.
 */
export function gatewayCallbackUrl(publicUrl: string, keys: SecretsKeys, gateway: string, reference: string): string {
  const token = makeToken(keys.current, gateway, reference).toString('base64url')
  return `${publicUrl}/callbacks/${[gateway, reference, token].map(encodeURIComponent).join('/')}`
}

/**
 * True when a callback came to the address of `gatewayCallbackUrl`, with the present key or an older one. Compares in
 * constant time.
 */
export function isGatewayCallbackAddress(keys: SecretsKeys, gateway: string, reference: string, token: string): boolean {
  const given = Buffer.from(token, 'base64url')
  const isFaithful = given.toString('base64url') === token
  return [...keys.byId.values()].some((key) => {
    const wanted = makeToken(key, gateway, reference)
    return isFaithful && given.length === wanted.length && timingSafeEqual(given, wanted)
  })
}
