import { Row, Rows } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { showPhone } from '../../both/phones.ts'
import { OrderState } from '../orders/order-state.tsx'
import { useStates } from '../orders/use-states.ts'
import { buyWords } from '../words/buy.ts'
import { Bought } from './bought.tsx'
import css from './buy.module.css'
import type { BoughtLines } from './line-goods.ts'

type Props = { readonly bought: BoughtLines; readonly onMore: () => void }

/** Shows the result of each line. Lines that were not bought stay in the form. */
export function LineResults({ bought: { results, paid }, onMore }: Props) {
  const statusOf = useStates(results.flatMap(({ order }) => order ?? []))
  const failed = results.filter(({ order }) => order === undefined).length
  return (
    <Bought paid={paid} more={failed > 0 ? buyWords.retry : buyWords.more} onMore={onMore}>
      <div className={css.states}>
        <State tone="done">{buyWords.bought(results.length - failed)}</State>
        {failed > 0 && <State tone="fail">{buyWords.notBought(failed)}</State>}
      </div>
      <Rows label={buyWords.results}>
        {results.map(({ key, recipient, what, order, reason }) => (
          <Row
            key={key}
            title={showPhone(recipient)}
            detail={reason ?? what}
            {...(order && { href: `/orders/${order.order_id}` })}
            end={order ? <OrderState status={statusOf(order)} /> : <State tone="fail">{buyWords.notBoughtState}</State>}
          />
        ))}
      </Rows>
    </Bought>
  )
}
