/** A supplier's message id in a normal form. Empty when the SMSC gave none; the key of a receipt is never empty. */
export function messageKey(messageId: string): string {
  return messageId.toLowerCase().replace(/^0+(?=.)/, '')
}

/** An id with more characters is not converted between decimal and hexadecimal. */
const numberLengthMax = 32

/**
 * The forms in which the answer to a submit may have given the id of this receipt, likeliest first: unchanged, as a
 * hexadecimal number, as a decimal number.
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

/** The last nine digits of a number, which are equal in every notation. Undefined when it has fewer. */
export function recipientTail(number: string): string | undefined {
  const digits = number.replaceAll(/\D/g, '')
  return digits.length >= 9 ? digits.slice(-9) : undefined
}
