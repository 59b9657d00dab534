import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Big, Card } from '../../both/layout/page.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { OrderState } from '../orders/order-state.tsx'
import { type StatedOrder, useStates } from '../orders/use-states.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'

type OrderProps = { readonly title: ReactNode; readonly order: StatedOrder; readonly detail?: ReactNode }

export function BoughtOrder({ title, order, detail }: OrderProps) {
  const statusOf = useStates([order])
  return (
    <Card>
      <div className={css.sum}>
        <b>{title}</b>
        <OrderState status={statusOf(order)} />
      </div>
      {detail}
    </Card>
  )
}

type Props = {
  readonly paid: number
  /** The text of the button that leads back to the form. */
  readonly more?: string
  readonly onMore: () => void
  readonly children: ReactNode
}

/** Shows the result of a purchase, and where to go next. */
export function Bought({ paid, more = buyWords.more, onMore, children }: Props) {
  return (
    <div className={css.fieldset} role="status">
      <Big label={buyWords.paid} value={formatGhs(paid)} />
      <div className={css.fieldset}>{children}</div>
      <div className={css.actions}>
        <Button onClick={onMore}>{more}</Button>
        <Button variant="default" component={Link} href="/orders">
          {buyWords.orders}
        </Button>
      </div>
    </div>
  )
}
