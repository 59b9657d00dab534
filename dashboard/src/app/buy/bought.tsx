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

/** What every result shows. */
export type ResultProps = {
  /** What the purchase earns when it is delivered, in GHS. */
  readonly earns: number
  readonly onMore: () => void
}

type Props = ResultProps & {
  readonly paid: number
  /** The text of the button that leads back to the form. */
  readonly more?: string
  /** A long list, which stands below the buttons. */
  readonly list?: ReactNode
  readonly children: ReactNode
}

/** Shows the result of a purchase, and where to go next. */
export function Bought({ paid, earns, more = buyWords.more, onMore, list, children }: Props) {
  return (
    <div className={css.fieldset} role="status">
      <Big label={buyWords.paid} value={formatGhs(paid)} />
      {earns > 0 && <p className={css.earns}>{buyWords.earns(formatGhs(earns))}</p>}
      <div className={css.fieldset}>{children}</div>
      <div className={css.actions}>
        <Button onClick={onMore}>{more}</Button>
        <Button variant="default" component={Link} href="/orders">
          {buyWords.orders}
        </Button>
      </div>
      {list}
    </div>
  )
}
