import { createHash } from 'node:crypto'

const digits = 25
const bytes = 16

/**
 * Our reference for one attempt, which the supplier sees. It is calculated from the order's id, the supplier and the number
 * of this attempt among the order's attempts at that supplier. When a restored backup sends an order again, the reference
 * is the same and the supplier recognises it. It reveals nothing about the order.
 *
 * 25 lower-case letters and digits hold 128 bits. They fit the shortest limits known (Hubnet: 6 to 25; Hubtel: 1 to 32),
 * and stay distinct for suppliers that ignore case.
 */
export function outgoingReference(orderId: string, supplier: string, supplierAttemptNo: number): string {
  const digest = createHash('sha256').update(JSON.stringify([orderId.toLowerCase(), supplier, supplierAttemptNo]))
  return BigInt(`0x${digest.digest('hex').slice(0, bytes * 2)}`)
    .toString(36)
    .padStart(digits, '0')
}
