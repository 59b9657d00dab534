import { Button } from '@mantine/core'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { groupDigits } from '../../both/phones.ts'
import { OrderState } from '../orders/order-state.tsx'
import { useStates } from '../orders/use-states.ts'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import type { FoundOrders } from './use-kept-purchase.ts'

type Props = { readonly found: FoundOrders; readonly onMore: () => void }

/** Shows what became of a purchase that was looked up by its references. */
export default function FoundResult({ found: { orders, missing }, onMore }: Props) {
  const statusOf = useStates(orders)
  const kept = orders.filter((order) => statusOf(order) !== 'refunded')
  return (
    <div className={css.fieldset} role="status">
      <div className={css.states}>
        {kept.length > 0 && <State tone="done">{buyWords.bought(kept.length)}</State>}
        {missing > 0 && <State tone="fail">{buyWords.notBought(missing)}</State>}
      </div>
      <div className={css.actions}>
        <Button onClick={onMore}>{buyWords.more}</Button>
      </div>
      <Rows label={buyWords.results}>
        {orders.map((order) => (
          <Row
            key={order.order_id}
            title={groupDigits(order.recipient)}
            end={<OrderState status={statusOf(order)} />}
            href={`/orders/${order.order_id}`}
          />
        ))}
      </Rows>
    </div>
  )
}
