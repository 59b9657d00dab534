import { createHash } from 'node:crypto'

/** The digits of the order's time: the first 48 bits of its id, in hexadecimal. */
const timeDigits = 12
/** 13 letters and digits hold the 64 bits of the hash. */
const hashDigits = 13
const hashBytes = 8

/**
 * Our reference for one attempt, which the supplier sees. It is calculated from the order's id, the supplier and the number
 * of this attempt among the order's attempts at that supplier. When a restored backup sends an order again, the reference
 * is the same and the supplier recognises it. It begins with the order's time, by which its attempt is found, and reveals
 * nothing else about the order.
 *
 * 25 lower-case letters and digits fit the shortest limits known (Hubnet: 6 to 25; Hubtel: 1 to 32), and stay distinct for
 * suppliers that ignore case. Only orders of one millisecond could share a reference, if 64 bits of their hashes were equal.
 */
export function outgoingReference(orderId: string, supplier: string, supplierAttemptNo: number): string {
  const id = orderId.toLowerCase()
  const digest = createHash('sha256').update(JSON.stringify([id, supplier, supplierAttemptNo]))
  const hash = BigInt(`0x${digest.digest('hex').slice(0, hashBytes * 2)}`)
  return `${id.replaceAll('-', '').slice(0, timeDigits)}${hash.toString(36).padStart(hashDigits, '0')}`
}
