import { randomBytes } from 'node:crypto'
import type { BillerKey } from './utilities.schemas.ts'

/** Capitals and digits that are not confused on paper. There are 32 of them, so each is equally likely. */
const symbols = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const randomSymbols = 16

/** A reference of ours for a payment: `UTIL-<BILLER>-<random>` with 80 random bits (contract, Utility order). */
export function makeBillReference(biller: BillerKey): string {
  const random = Array.from(randomBytes(randomSymbols), (byte) => symbols[byte % symbols.length]).join('')
  return `UTIL-${biller.toUpperCase()}-${random}`
}
