const withThousands = /^\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?$/
const plain = /^\d{1,7}(?:[.,]\d{1,2})?$/

/**
 * Reads an amount in GHS as somebody typed or pasted it: `GHS 1,250.50` is 1250.5. A comma before three digits parts
 * thousands; one before one or two digits is a decimal comma.
 *
 * @returns undefined when it is no amount above 0, or has more than two decimals
 */
export function readGhs(text: string): number | undefined {
  const typed = text.replaceAll(/\s|GHS/gi, '')
  const isThousands = withThousands.test(typed)
  if (!isThousands && !plain.test(typed)) return undefined
  const amount = Number(isThousands ? typed.replaceAll(',', '') : typed.replace(',', '.'))
  return amount > 0 ? amount : undefined
}
