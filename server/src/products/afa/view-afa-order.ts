import type { Order } from '../../orders/order.ts'
import type { AfaStatus } from './afa.schemas.ts'

/** A registration as its owner sees it; nothing of the person's data (contract, AFA registration order). */
export function viewAfaOrder(order: Order) {
  return { id: order.id, reference: order.reference, status: order.status as AfaStatus }
}
