import type { OrderStatus } from '../order-life-cycle.ts'

/** The states of orders as the app names them. */
export const stateTitles: Readonly<Record<OrderStatus, string>> = {
  queued: 'Queued',
  pending: 'Ordered',
  processing: 'Sending',
  completed: 'Delivered',
  failed: 'Failed',
  refunded: 'Refunded',
  cancelled: 'Cancelled',
}
