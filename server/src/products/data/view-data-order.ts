import { ghs } from '../../money/pesewas.ts'
import { type Order, pesewasOf } from '../../orders/order.ts'
import { dataKind, readDataDetails } from './data.kind.ts'

/** The states a data order can be seen in. */
type DataStatus = 'pending' | 'queued' | 'processing' | 'completed' | 'failed' | 'refunded'

/** A data order as its owner sees it (contract, Data order). */
export function viewDataOrder(order: Order) {
  const details = readDataDetails(order)
  return {
    order_id: order.id,
    reference: order.reference,
    status: order.status as DataStatus,
    network: details.network,
    size: details.size,
    recipient: order.recipient,
    price: ghs(pesewasOf(dataKind, order)),
    source: order.source,
  }
}
