const digits = 25

/**
 * Our reference for one attempt, as suppliers see it: the attempt's UUID in base 36. 25 lower-case
 * letters and digits hold all 128 bits, fit the shortest limit known (Hubnet, 6 to 25) and survive
 * suppliers that ignore case. A new attempt has a new id, so it has a new reference.
 */
export function outgoingReference(attemptId: string): string {
  return BigInt(`0x${attemptId.replaceAll('-', '')}`)
    .toString(36)
    .padStart(digits, '0')
}
