import { distance } from 'fastest-levenshtein'
import { type FoldedText, foldLetters } from './fold-text.ts'

/** Words of receipts that people misspell to get past a filter. */
const receiptWords = [
  'received',
  'receive',
  'payment',
  'balance',
  'available',
  'current',
  'transaction',
  'transfer',
  'transferred',
  'deposited',
  'deposit',
  'credited',
  'debited',
  'reversed',
  'reversal',
  'withdrawn',
  'confirmed',
  'reference',
  'financial',
  'mobile',
  'money',
  'wallet',
  'account',
  'cedis',
]

/** Usual short forms of words in receipts, and words of receipts in Twi. */
const shortForms: Readonly<Record<string, string>> = {
  rcvd: 'received',
  recvd: 'received',
  recd: 'received',
  rcd: 'received',
  rec: 'received',
  crdtd: 'credited',
  crd: 'credited',
  pmt: 'payment',
  pymt: 'payment',
  dep: 'deposit',
  depst: 'deposit',
  wdl: 'withdrawn',
  from: 'from',
  frm: 'from',
  '4rm': 'from',
  ex: 'from',
  fm: 'from',
  fr: 'from',
  avl: 'available',
  avbl: 'available',
  av: 'available',
  ava: 'available',
  avail: 'available',
  cur: 'current',
  curr: 'current',
  bal: 'balance',
  acct: 'account',
  acc: 'account',
  ac: 'account',
  amt: 'amount',
  trf: 'transfer',
  trns: 'transaction id',
  avbal: 'available balance',
  tid: 'transaction id',
  rf: 'ref',
  u: 'you',
  ur: 'your',
  yr: 'your',
  hs: 'has',
  bn: 'been',
  wt: 'with',
  woanya: 'you have received',
  nsa: 'you have received',
  afiri: 'from',
  efiri: 'from',
  foforo: 'new',
}

const shortFormsByFold = new Map(Object.entries(shortForms).map(([short, word]) => [foldLetters(short), word]))

const wordsByFold = new Map(receiptWords.map((word) => [foldLetters(word), word]))

/** Short words have too many neighbours: "money" and "honey" are one letter apart. */
const lettersMin = 6
const lettersForTwoFaults = 8

function nearest(letters: string): string | undefined {
  // A word that is spelled correctly stays: "receive" is no misspelled "received".
  const exact = wordsByFold.get(letters)
  if (exact !== undefined || letters.length < lettersMin - 1) return exact
  for (const [folded, word] of wordsByFold) {
    const faults = folded.length >= lettersForTwoFaults ? 2 : 1
    const isLongEnough = folded.length >= lettersMin && Math.abs(folded.length - letters.length) <= 1
    if (isLongEnough && folded[0] === letters[0] && distance(folded, letters) <= faults) return word
  }
  return undefined
}

/** Letters, or digits, written apart: "B A L", "r.e.c.e.i.v.e.d", "5 0 0". */
const writtenApart =
  /(?<![\p{L}\p{N}])(?:\p{L}[ .\-_]{1,2}){2,}\p{L}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:\p{L} ){1}\p{L}(?=:)|(?<![\p{L}\p{N}.,])(?:\d ){2,}\d(?![\p{L}\p{N}])/gu

/**
 * Returns the plain text with the words of receipts written out and spelled correctly: "rcvd", "recieved" and "rece1ved" become
 * "received".
 */
export function correctSpelling({ plain }: FoldedText): string {
  const joined = plain.replaceAll(writtenApart, (apart) => apart.replaceAll(/[^\p{L}\p{N}]/gu, ''))
  return joined.replaceAll(/[\p{L}\p{N}@$!|¢₵]+/gu, (word) => {
    const folded = foldLetters(word)
    return shortFormsByFold.get(folded) ?? nearest(folded) ?? word
  })
}
