import { useRead } from '../../both/api/use-read.ts'
import type { OrderLine } from '../orders/order-state.tsx'

/** What the account's own notes say about an order: its price, what it earned, and the link of its receipt. */
export const useSale = (order: OrderLine) =>
  useRead('sale', '/app/api/orders/{order_id}/sale', { order_id: order.order_id }, { enabled: order.product !== 'sms' })
