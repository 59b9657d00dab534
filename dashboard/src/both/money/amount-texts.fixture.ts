/** A text with which every field for a number is tested. */
type AmountText = {
  readonly text: string
  /** Its meaning in GHS; undefined: a field for an amount above 0 refuses it. */
  readonly ghs?: number
  /** The beginning of the reason, where it is refused. */
  readonly why?: string
  /** The only number that it may mean in a field of another kind; undefined: every field refuses it. */
  readonly means?: number
}

export const amountTexts: readonly AmountText[] = [
  { text: '12.50', ghs: 12.5, means: 12.5 },
  { text: ' GHS 12.5 ', ghs: 12.5, means: 12.5 },
  { text: '1,250', ghs: 1_250, means: 1_250 },
  { text: '1 250', ghs: 1_250, means: 1_250 },
  { text: '1,250.50', ghs: 1_250.5, means: 1_250.5 },
  { text: '12,50', why: 'Write 12.50 with a point' },
  { text: '12,5', why: 'Write 12.5 with a point' },
  { text: '1.250,50', why: 'Write it like 1,250.50' },
  { text: '1,25', why: 'Write 1.25 with a point' },
  { text: '1250.505', why: 'At most 2 decimals', means: 1_250.505 },
  { text: '-12.50', why: 'Must be above 0', means: -12.5 },
  { text: 'twelve', why: 'Write a number' },
]
