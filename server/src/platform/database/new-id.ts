import { randomFillSync } from 'node:crypto'

/**
 * All but two bits of the last 8 bytes of an id are random. Bytes are fetched for many ids at once, because a call of the
 * generator is slow.
 */
const randomBytesPerId = 8
const pool = Buffer.alloc(randomBytesPerId * 512)
let poolOffset = pool.length

/**
 * A clock that goes back by more than this was corrected, and ids follow it. Otherwise new ids would carry a time in the
 * future for as long as the clock had been ahead (RFC 9562, section 6.2).
 */
const clockStepMilliseconds = 10_000

let lastMilliseconds = 0
let sequence = 0

function nextSequence(now: number): void {
  if (now > lastMilliseconds || now < lastMilliseconds - clockStepMilliseconds) {
    lastMilliseconds = now
    sequence = 0
  } else if (++sequence > 0xfff) {
    lastMilliseconds += 1
    sequence = 0
  }
}

/**
 * A UUID of version 7 (RFC 9562, section 5.7): ordered by the time it was made, also within one
 * millisecond of this process, unless the clock is set back. 62 of its bits are random.
 */
export function newId(): string {
  nextSequence(Date.now())
  if (poolOffset === pool.length) {
    randomFillSync(pool)
    poolOffset = 0
  }
  pool[poolOffset] = ((pool[poolOffset] ?? 0) & 0x3f) | 0x80
  const random = pool.toString('hex', poolOffset, poolOffset + randomBytesPerId)
  poolOffset += randomBytesPerId
  const time = lastMilliseconds.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-${(0x7000 | sequence).toString(16)}-${random.slice(0, 4)}-${random.slice(4)}`
}
