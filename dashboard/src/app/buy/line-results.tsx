import { useState } from 'react'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { groupDigits } from '../../both/phones.ts'
import { OrderState } from '../orders/order-state.tsx'
import { useStates } from '../orders/use-states.ts'
import { buyWords } from '../words/buy.ts'
import { Bought, type ResultProps } from './bought.tsx'
import css from './buy.module.css'
import type { BoughtLines } from './lines-product.ts'

/** Of a long result, this many lines that were bought are shown at first. Those that were not bought are all shown. */
const boughtMax = 5

type Props = ResultProps & { readonly bought: BoughtLines }

/** Shows the result of each line. Lines that were not bought stay in the form. */
export function LineResults({ bought: { results, leftOut }, ...shown }: Props) {
  const [isAll, setAll] = useState(false)
  const orders = results.flatMap(({ order, paid }) => (order ? { ...order, paid } : []))
  const statusOf = useStates(orders)
  const kept = orders.filter((order) => statusOf(order) !== 'refunded')
  const isAllDelivered = kept.every((order) => statusOf(order) === 'completed')
  const failed = results.filter(({ order }) => order === undefined)
  const done = results.filter(({ order }) => order !== undefined)
  const list = (
    <>
      <Rows label={buyWords.results}>
        {[...failed, ...(isAll ? done : done.slice(0, boughtMax))].map(({ key, recipient, what, order, reason }) => (
          <Row
            key={key}
            title={groupDigits(recipient)}
            detail={reason ?? what}
            {...(order && { href: `/orders/${order.order_id}` })}
            end={order ? <OrderState status={statusOf(order)} /> : <State tone="fail">{buyWords.notBoughtState}</State>}
          />
        ))}
      </Rows>
      {!isAll && done.length > boughtMax && (
        <button type="button" className={css.step} onClick={() => setAll(true)}>
          {buyWords.showAll(results.length)}
        </button>
      )}
    </>
  )
  return (
    <Bought orders={orders} more={failed.length > 0 ? buyWords.retry : buyWords.more} list={list} {...shown}>
      <div className={css.states}>
        {/* The row of a single line already shows its state. */}
        {kept.length > 0 && results.length > 1 && (
          <State tone={isAllDelivered ? 'done' : 'wait'}>{buyWords.bought(kept.length)}</State>
        )}
        {failed.length > 0 && <State tone="fail">{buyWords.notBought(failed.length)}</State>}
      </div>
      {leftOut > 0 && <p>{buyWords.leftOut(leftOut)}</p>}
    </Bought>
  )
}
