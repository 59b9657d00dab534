import { ghs } from '../../money/pesewas.ts'
import { type Order, pesewasOf } from '../../orders/order.ts'
import type { DataDetails } from './data.kind.ts'
import type { DataNetwork } from './data.schemas.ts'

/** The states a data order can be seen in. */
type DataStatus = 'pending' | 'queued' | 'processing' | 'completed' | 'failed' | 'refunded'

/** A data order as its owner sees it (contract, Data order). */
export function viewDataOrder(order: Order) {
  const details = order.details as DataDetails
  return {
    order_id: order.id,
    reference: order.reference,
    status: order.status as DataStatus,
    network: details.network as DataNetwork,
    size: details.size,
    recipient: order.recipient,
    price: ghs(pesewasOf(order)),
    source: order.source,
  }
}
