import { createHash } from 'node:crypto'

const digits = 25
const bytes = 16

/**
 * Our reference for one attempt, as its supplier sees it: made from the order, the supplier and how many attempts the
 * order has had with this supplier, counting this one. It is the same however often it is made, so an order that a
 * restored backup sends again is recognised by suppliers that know references. Nothing of the order can be read from it.
 *
 * 25 lower-case letters and digits hold 128 bits, fit the shortest limit known (Hubnet, 6 to 25; Hubtel, 1 to 32) and
 * survive suppliers that ignore case.
 */
export function outgoingReference(orderId: string, supplier: string, supplierAttemptNo: number): string {
  const digest = createHash('sha256').update(JSON.stringify([orderId.toLowerCase(), supplier, supplierAttemptNo]))
  return BigInt(`0x${digest.digest('hex').slice(0, bytes * 2)}`)
    .toString(36)
    .padStart(digits, '0')
}
