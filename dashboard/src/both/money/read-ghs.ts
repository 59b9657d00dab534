const withThousands = /^[1-9]\d{0,2}(?:[ ,]\d{3})+(?:\.\d{1,2})?$/
const plain = /^\d{1,7}(?:[.,]\d{1,2})?$/

/**
 * Reads an amount in GHS as somebody typed or pasted it: `GHS 1,250.50` is 1250.5. A comma or a blank before three digits
 * parts thousands; a comma before one or two digits is a decimal comma.
 *
 * @returns undefined when it is no amount above 0, or has more than two decimals
 */
export function readGhs(text: string): number | undefined {
  const typed = text.trim().replace(/^GHS\s*|\s*GHS$/i, '')
  const isThousands = withThousands.test(typed)
  if (!isThousands && !plain.test(typed)) return undefined
  const amount = Number(isThousands ? typed.replaceAll(/[ ,]/g, '') : typed.replace(',', '.'))
  return amount > 0 ? amount : undefined
}
