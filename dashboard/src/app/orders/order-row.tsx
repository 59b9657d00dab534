import { goodsWords } from '../../both/goods-words.ts'
import { Row } from '../../both/list/rows.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { showPrice } from '../../both/money/format-ghs.ts'
import { groupDigits } from '../../both/phones.ts'
import { orderWords } from '../words/orders.ts'
import { type OrderLine, OrderState } from './order-state.tsx'

/** The recipient of an order. A campaign has many; an order without one is named by its goods. */
export function recipientWords(order: OrderLine): string {
  if (order.product === 'sms') return orderWords.campaign
  return order.recipient === '' ? goodsWords(order) : groupDigits(order.recipient)
}

export function OrderRow({ order, search = '' }: { readonly order: OrderLine; readonly search?: string }) {
  const when = relativeMoment(order.created_at)
  return (
    <Row
      title={recipientWords(order)}
      detail={order.product === 'sms' || recipientWords(order) === goodsWords(order) ? when : `${goodsWords(order)} · ${when}`}
      end={
        <>
          <b>{showPrice(order)}</b>
          <OrderState status={order.status} />
        </>
      }
      href={`/orders/${order.order_id}${search}`}
    />
  )
}
