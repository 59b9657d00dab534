/** A supplier's message id, always spelled the same way. Empty when the SMSC gave none; the key of a receipt is never empty. */
export function messageKey(messageId: string): string {
  return messageId.toLowerCase().replace(/^0+(?=.)/, '')
}

/** Ids longer than this are no numbers in another notation. */
const numberLengthMax = 32

/**
 * The spellings in which an id of a receipt may stand in the answer to its submit, likeliest first: as it is; the
 * same number in hexadecimal, or in decimal.
 */
export function messageKeysOf(receiptId: string): string[] {
  const key = messageKey(receiptId)
  const keys = [key]
  if (key.length <= numberLengthMax) {
    if (/^\d+$/.test(key)) keys.push(BigInt(key).toString(16))
    if (/^[0-9a-f]+$/.test(key)) keys.push(BigInt(`0x${key}`).toString(10))
  }
  return [...new Set(keys)]
}

/** The last nine digits of a number, which every way of writing it shares; undefined when it has fewer. */
export function recipientTail(number: string): string | undefined {
  const digits = number.replaceAll(/\D/g, '')
  return digits.length >= 9 ? digits.slice(-9) : undefined
}
