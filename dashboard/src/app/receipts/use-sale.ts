import { useRead } from '../../both/api/use-read.ts'
import type { OrderLine } from '../orders/order-state.tsx'

/** Reads the customer's price, the profit and the receipt's link of an order. A campaign has none of them. */
export const useSale = (order: OrderLine) =>
  useRead('sale', '/app/api/orders/{order_id}/sale', { order_id: order.order_id }, { enabled: order.product !== 'sms' })
