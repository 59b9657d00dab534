import { Button } from '@mantine/core'
import { Card } from '../../both/layout/page.tsx'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'

/** Shows that the outcome of a purchase is not known yet, and how to find it out. */
export function UnknownPurchase({
  what,
  isBusy,
  onAgain,
}: {
  readonly what: string
  readonly isBusy: boolean
  readonly onAgain: () => void
}) {
  return (
    <div role="alert" className={css.fieldset}>
      <Card tone="gold">
        <b>{buyWords.unknownTitle}</b>
        <p>{what}</p>
        <p>{buyWords.unknownHint}</p>
        <Button mt={12} loading={isBusy} onClick={onAgain}>
          {buyWords.askAgain}
        </Button>
      </Card>
    </div>
  )
}
