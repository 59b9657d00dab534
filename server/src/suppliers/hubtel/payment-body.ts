import { ghs, type Pesewas } from '../../money/pesewas.ts'

export type Payment = {
  readonly serviceId: string
  /** A phone as `233…`, or a smartcard. */
  readonly destination: string
  readonly amountPesewas: Pesewas
  readonly extraData?: Readonly<Record<string, string>>
}

/** `0241234567` as `233241234567`. */
export function withCountryCode(phone: string): string {
  return phone.replace(/^0/, '233')
}

/** Returns whether a meter or smartcard may go into a body and a query: printable ASCII. */
export function isPlainAccount(account: string): boolean {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(account)
}

/**
 * Writes a payment's body in printable ASCII, other characters as JSON escapes (RFC 8259, section 7): payments with other
 * characters have failed.
 */
export function writePaymentBody(payment: Payment, clientReference: string, callbackUrl: string): string {
  const body = {
    Destination: payment.destination,
    Amount: ghs(payment.amountPesewas),
    CallbackUrl: callbackUrl,
    ClientReference: clientReference,
    ...(payment.extraData ? { Extradata: payment.extraData } : {}),
  }
  return JSON.stringify(body).replaceAll(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
