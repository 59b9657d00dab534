import { goodsWords } from '../../both/goods-words.ts'
import { Row } from '../../both/list/rows.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { showPhone } from '../../both/phones.ts'
import { orderWords } from '../words/orders.ts'
import { type OrderLine, OrderState } from './order-state.tsx'

/** A price in its unit: `GHS 18.50`, or whole SMS credits. */
export function showPrice({ price, unit }: Pick<OrderLine, 'price' | 'unit'>): string {
  return unit === 'GHS' ? formatGhs(price) : `${formatCount(price)} ${price === 1 ? 'credit' : 'credits'}`
}

/**
 * Says for whom an order is: its recipient. A campaign has many recipients; an order without any is named by what was
 * bought.
 */
export function recipientWords(order: OrderLine): string {
  if (order.product === 'sms') return orderWords.campaign
  return order.recipient === '' ? goodsWords(order) : showPhone(order.recipient)
}

/** An order as one row of a card, which leads to the order. */
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
