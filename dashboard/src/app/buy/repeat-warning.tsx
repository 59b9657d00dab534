import { Box } from '@mantine/core'
import type { Schema } from '../../both/api/call-api.ts'
import { Card } from '../../both/layout/page.tsx'
import { buyWords } from '../words/buy.ts'
import { stateWords } from '../words/orders.ts'

export type EarlierOrder = NonNullable<Schema<'CheckedBill'>['same']>

/** `bought 6 minutes ago: Delivered` */
export const earlierOrderWords = ({ minutes_ago, status }: EarlierOrder): string =>
  buyWords.boughtBefore(minutes_ago, stateWords[status].word)

type Props = {
  readonly same: readonly EarlierOrder[]
  /** How many lines the purchase has. */
  readonly of: number
}

/** Warns before a purchase that the same was bought within the hour. */
export function RepeatWarning({ same, of }: Props) {
  const [first] = same
  if (!first) return null
  return (
    <Box my={8}>
      <Card tone="gold">{of === 1 ? `${buyWords.sameAgain} ${earlierOrderWords(first)}.` : buyWords.sameAmong(same.length)}</Card>
    </Box>
  )
}
