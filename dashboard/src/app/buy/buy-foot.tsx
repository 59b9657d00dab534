import { Button } from '@mantine/core'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { sharedWords } from '../../both/words.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'

type Props = {
  /** The goods: `2 × MTN 5 GB`. */
  readonly what: string
  readonly total: number
  readonly balance: number
  /** The text of the button when something can be bought. */
  readonly action: string
  readonly isReady: boolean
  readonly isBusy?: boolean
  readonly onBuy: () => void
}

/** The lower end of the form: goods, price, button, and the balance afterwards. */
export function BuyFoot({ what, total, balance, action, isReady, isBusy = false, onBuy }: Props) {
  const isShort = isReady && total > balance
  return (
    <div className={css.foot}>
      <div className={css.sum}>
        <span>{what}</span>
        <b>{formatGhs(total)}</b>
      </div>
      <Button fullWidth onClick={onBuy} disabled={!isReady || isShort} loading={isBusy}>
        {action}
      </Button>
      <p className={`${css.after} ${isShort ? css.short : ''}`}>
        {isShort && `${buyWords.tooLittle} `}
        {sharedWords.balanceAfter}: {formatGhs(Math.round(balance * 100 - total * 100) / 100)}
      </p>
    </div>
  )
}
