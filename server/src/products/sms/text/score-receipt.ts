import { readFileSync } from 'node:fs'
import { receiptFeatures } from './receipt-features.ts'
import type { ReceiptModel } from './train-receipt-model.ts'

/** Made from the texts beside it by `write-receipt-model.ts`. */
const shippedModel = JSON.parse(readFileSync(new URL('receipt-model.json', import.meta.url), 'utf8')) as ReceiptModel

/** How similar a text is to a telecom's or a bank's receipt: above 0 rather similar, 4 and more almost surely a receipt. */
export function scoreReceipt(text: string, { bias, weights }: ReceiptModel = shippedModel): number {
  let score = bias
  for (const feature of receiptFeatures(text)) score += Object.hasOwn(weights, feature) ? (weights[feature] ?? 0) : 0
  return Math.round(score * 100) / 100
}
