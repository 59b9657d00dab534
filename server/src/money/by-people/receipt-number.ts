/** Money comes to the operator in these ways beside a payment gateway. */
export const receiptWays = ['cash', 'bank', 'momo', 'other'] as const
export type ReceiptWay = (typeof receiptWays)[number]

/** The letters and digits of the number of a receipt or a transfer: the same however a person writes it. */
export function numberKey(number: string): string {
  return number
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** The external id of a credit for a receipt, such as `cash 2041`. One number of one way is credited once. */
export function receiptId(way: ReceiptWay, number: string): string {
  return `${way} ${numberKey(number)}`
}

/** The possible external ids for a search for `2041`, `REC-2041` or `cash 2041`. */
export function receiptIdsOf(text: string): string[] {
  const [, way, rest = ''] = new RegExp(`^(${receiptWays.join('|')})\\b(.+)$`, 'iu').exec(text.trim()) ?? []
  const named = receiptWays.find((each) => each === way?.toLowerCase())
  return [text, ...receiptWays.map((each) => receiptId(each, text)), ...(named ? [receiptId(named, rest)] : [])]
}
