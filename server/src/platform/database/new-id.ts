import { randomBytes } from 'node:crypto'

let lastMilliseconds = 0
let sequence = 0

/** A UUID of version 7 (RFC 9562, section 5.7): ordered by the time it was made, also within one millisecond of this process. */
export function newId(): string {
  const now = Date.now()
  if (now > lastMilliseconds) {
    lastMilliseconds = now
    sequence = 0
  } else if (++sequence > 0xfff) {
    lastMilliseconds += 1
    sequence = 0
  }
  const bytes = randomBytes(16)
  bytes.writeUIntBE(lastMilliseconds, 0, 6)
  bytes.writeUInt16BE(0x7000 | sequence, 6)
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
