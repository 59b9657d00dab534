import { createHmac } from 'node:crypto'

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function decodeBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => base32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(
    Array.from({ length: Math.floor(bits.length / 8) }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2)),
  )
}

/** What an authenticator app shows now for the address it was given (RFC 6238: SHA-1, 30 seconds, 6 digits). */
export function makeTotpCode(totpUri: string): string {
  const secret = decodeBase32(new URL(totpUri).searchParams.get('secret') ?? '')
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}

/** A code that the app does not show now. */
export function makeWrongTotpCode(totpUri: string): string {
  return String((Number(makeTotpCode(totpUri)) + 500_000) % 1_000_000).padStart(6, '0')
}
