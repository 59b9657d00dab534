import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Big, Card } from '../../both/layout/page.tsx'
import { State, type Tone } from '../../both/list/state.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'

const tones: Readonly<Record<string, Tone>> = { completed: 'done', failed: 'fail', refunded: 'fail', cancelled: 'fail' }

export function OrderState({ status }: { readonly status: string }) {
  return <State tone={tones[status] ?? 'wait'}>{buyWords.states[status] ?? status}</State>
}

type OrderProps = { readonly title: ReactNode; readonly status: string; readonly detail?: ReactNode }

export function BoughtOrder({ title, status, detail }: OrderProps) {
  return (
    <Card>
      <div className={css.sum}>
        <b>{title}</b>
        <OrderState status={status} />
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
