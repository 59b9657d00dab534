import { readFileSync } from 'node:fs'
import { receiptFeatures } from './receipt-features.ts'
import type { ReceiptModel } from './train-receipt-model.ts'

/** Written by `write-receipt-model.ts` from the texts in `content-corpus/`. */
const shippedModel = JSON.parse(readFileSync(new URL('receipt-model.json', import.meta.url), 'utf8')) as ReceiptModel

/** Resemblance of a text to a telecom's or a bank's receipt: above 0 similar, from 4 almost surely a receipt. */
export function scoreReceipt(text: string, { bias, weights }: ReceiptModel = shippedModel): number {
  let score = bias
  for (const feature of receiptFeatures(text)) score += Object.hasOwn(weights, feature) ? (weights[feature] ?? 0) : 0
  return Math.round(score * 100) / 100
}
