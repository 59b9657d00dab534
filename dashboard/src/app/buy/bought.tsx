import { Button } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'wouter'
import { Big, Card } from '../../both/layout/page.tsx'
import { State } from '../../both/list/state.tsx'
import { formatGhs, ghsOf, pesewasOf } from '../../both/money/format-ghs.ts'
import { OrderState } from '../orders/order-state.tsx'
import { type StatedOrder, useStates } from '../orders/use-states.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'

/** Loaded after the result, so that the result does not wait, and shown last, so that nothing moves when it appears. */
const BoughtReceipt = lazy(() => import('../receipts/bought-receipt.tsx'))

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

/** An order of a result, and what was paid for it, in GHS. */
export type PaidOrder = StatedOrder & { readonly paid: number }

const sumOf = (orders: readonly PaidOrder[]): number => ghsOf(orders.reduce((sum, { paid }) => sum + pesewasOf(paid), 0))

export type ResultProps = {
  /** Commission that the account gets when the purchase is delivered, in GHS. */
  readonly earns: number
  readonly onMore: () => void
}

type Props = ResultProps & {
  readonly orders: readonly PaidOrder[]
  /** The text of the button that leads back to the form. */
  readonly more?: string
  /** A long list, shown below the buttons. */
  readonly list?: ReactNode
  readonly children: ReactNode
}

/** Shows the result of a purchase, its refunds since then, and where to go next. */
export function Bought({ orders, earns, more = buyWords.more, onMore, list, children }: Props) {
  const statusOf = useStates(orders)
  const refunded = orders.filter((order) => statusOf(order) === 'refunded')
  const kept = orders.filter((order) => !refunded.includes(order))
  const [only] = orders.length === 1 ? kept : []
  return (
    <div className={css.fieldset} role="status">
      <Big label={buyWords.paid} value={formatGhs(sumOf(kept))} />
      {refunded.length > 0 && (
        <div className={css.below}>
          <State tone="fail">{buyWords.cameBack(refunded.length, orders.length, formatGhs(sumOf(refunded)))}</State>
        </div>
      )}
      {earns > 0 && refunded.length === 0 && <p className={css.earns}>{buyWords.earns(formatGhs(earns))}</p>}
      <div className={css.fieldset}>{children}</div>
      <div className={css.actions}>
        <Button onClick={onMore}>{more}</Button>
        <Button variant="default" component={Link} href="/orders">
          {buyWords.orders}
        </Button>
      </div>
      {list && <div className={css.fieldset}>{list}</div>}
      {only && (
        <Suspense>
          <BoughtReceipt order={only.order_id} />
        </Suspense>
      )}
    </div>
  )
}
