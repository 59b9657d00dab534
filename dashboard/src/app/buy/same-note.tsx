import { Box } from '@mantine/core'
import type { Schema } from '../../both/api/call-api.ts'
import { Card } from '../../both/layout/page.tsx'
import { buyWords } from '../words/buy.ts'
import { stateWords } from '../words/orders.ts'

export type SameOrder = NonNullable<Schema<'CheckedBill'>['same']>

/** `bought 6 minutes ago: Delivered` */
export const sameWords = ({ minutes_ago, status }: SameOrder): string =>
  buyWords.boughtBefore(minutes_ago, stateWords[status].word)

type Props = {
  readonly same: readonly SameOrder[]
  /** How many lines the purchase has. */
  readonly of: number
}

/** Warns before a purchase that the same was bought within the hour. */
export function SameNote({ same, of }: Props) {
  const [first] = same
  if (!first) return null
  return (
    <Box my={8}>
      <Card tone="gold">{of === 1 ? `${buyWords.sameAgain} ${sameWords(first)}.` : buyWords.sameAmong(same.length)}</Card>
    </Box>
  )
}
