import type { OrderStatus } from '../order-life-cycle.ts'

export const stateTitles: Readonly<Record<OrderStatus, string>> = {
  queued: 'Queued',
  pending: 'Ordered',
  processing: 'Sending',
  completed: 'Delivered',
  failed: 'Failed',
  refunded: 'Refunded',
  cancelled: 'Cancelled',
}
