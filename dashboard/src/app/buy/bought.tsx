import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Big, Card } from '../../both/layout/page.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import { OrderState } from './line-results.tsx'

type Props = {
  readonly title: ReactNode
  readonly detail?: ReactNode
  readonly status: string
  readonly paid?: number | undefined
  readonly onMore: () => void
  readonly children?: ReactNode
}

/** Shows the result of a purchase, and where to go next. */
export function Bought({ title, detail, status, paid, onMore, children }: Props) {
  return (
    <div className={css.fieldset} role="status">
      {paid !== undefined && <Big label={buyWords.paid} value={formatGhs(paid)} />}
      <div className={css.fieldset}>
        <Card>
          <div className={css.sum}>
            <b>{title}</b>
            <OrderState status={status} />
          </div>
          {detail}
        </Card>
      </div>
      {children}
      <div className={css.actions}>
        <Button onClick={onMore}>{buyWords.more}</Button>
        <Button variant="default" component={Link} href="/orders">
          {buyWords.orders}
        </Button>
      </div>
    </div>
  )
}
