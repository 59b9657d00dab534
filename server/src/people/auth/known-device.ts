import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SecretsKey, SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { personCookies } from './person-cookies.ts'

/**
 * A cookie that proves that an e-mail has signed in on this device before. Wrong passwords from other devices then do not lock
 * this device out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). The cookie gives no access. It holds a
 * random id of the device and, for each e-mail, a signature over both.
 */
type KnownDevice = { readonly id: string; readonly signatures: readonly string[] }

/** A device is forgotten after this many days without a sign-in. */
const deviceDays = 180

/** A device remembers at most this many e-mails. A further one replaces the one whose last sign-in is oldest. */
const peopleMax = 5

const idPattern = /^[\w-]{22}$/

function signatureOf(key: SecretsKey, id: string, email: string): string {
  return createHmac('sha256', key.personsKey).update(`known device ${id} ${email}`).digest('base64url')
}

function readDevice(cookie: string | undefined): KnownDevice | undefined {
  const [id = '', ...signatures] = cookie?.split('.') ?? []
  return idPattern.test(id) ? { id, signatures: signatures.slice(0, peopleMax) } : undefined
}

/** Compares bytes, because a cookie may hold letters of several bytes. */
function isEqual(one: string, other: string): boolean {
  const [oneBytes, otherBytes] = [Buffer.from(one), Buffer.from(other)]
  return oneBytes.length === otherBytes.length && timingSafeEqual(oneBytes, otherBytes)
}

/** The id of the device, if this e-mail has signed in there. The e-mail must be in lower case. */
export function knownDeviceId({ byId }: SecretsKeys, cookie: string | undefined, email: string): string | undefined {
  const device = readDevice(cookie)
  const isSigned = device?.signatures.some((signature) =>
    [...byId.values()].some((key) => isEqual(signatureOf(key, device.id, email), signature)),
  )
  return isSigned ? device?.id : undefined
}

/** Makes the device cookie with this e-mail added. */
export function deviceCookie({ current }: SecretsKeys, cookie: string | undefined, email: string): string {
  const device = readDevice(cookie) ?? { id: randomBytes(16).toString('base64url'), signatures: [] }
  const signature = signatureOf(current, device.id, email)
  const others = device.signatures.filter((each) => each !== signature).slice(0, peopleMax - 1)
  const value = [device.id, signature, ...others].join('.')
  return `${personCookies.device}=${value}; Max-Age=${deviceDays * 86_400}; Path=/; HttpOnly; Secure; SameSite=Lax`
}
