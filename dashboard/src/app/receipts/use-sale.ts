import { useRead } from '../../both/api/use-read.ts'
import type { OrderLine } from '../orders/order-state.tsx'

/** What the reseller earned with an order: the customer's price, the profit, and the link of the receipt. */
export const useSale = (order: OrderLine) =>
  useRead('sale', '/app/api/orders/{order_id}/sale', { order_id: order.order_id }, { enabled: order.product !== 'sms' })
