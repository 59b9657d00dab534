import { Button } from '@mantine/core'
import { Card } from '../../both/layout/page.tsx'
import { wordsOfFailure } from '../../both/layout/query-states.tsx'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import { goodsAndAmount } from './kept-purchases.ts'
import { Recipients } from './recipients.tsx'
import type { PurchaseState } from './use-kept-purchase.ts'

type Props = {
  readonly purchase: Pick<PurchaseState<unknown, unknown>, 'unknown' | 'failure' | 'isBusy' | 'again'>
}

/** Shows that the outcome of a purchase is not known yet, why, and how to find it out. */
export function UnknownPurchase({ purchase: { unknown, failure, isBusy, again } }: Props) {
  if (!unknown) return null
  return (
    <div role="alert" className={css.fieldset}>
      <Card tone="gold">
        <b>{buyWords.unknownTitle}</b>
        <Recipients to={unknown.shown.to} />
        <p>{goodsAndAmount(unknown.shown)}</p>
        {failure !== undefined && !isBusy && <p>{wordsOfFailure(failure)}</p>}
        <p>{buyWords.unknownHint}</p>
        <Button mt={12} loading={isBusy} onClick={() => void again()}>
          {buyWords.askAgain}
        </Button>
      </Card>
    </div>
  )
}
