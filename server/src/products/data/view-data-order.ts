import { ghs } from '../../money/pesewas.ts'
import { type Order, pesewasOf } from '../../orders/order.ts'
import { dataKind, readDataDetails } from './data.kind.ts'
import type { DataBatch } from './purchase-data-batch.ts'

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

/** Whether a batch placed and charged nothing, because all its orders had been placed before. */
export function isWholeReplay({ placements, skipped }: DataBatch): boolean {
  return skipped.length === 0 && placements.every(({ isReplay }) => isReplay)
}

/** The outcome of a batch as its owner sees it (contract, POST /data/bulk). */
export function viewDataBatch({ placements, skipped, chargedPesewas, balancePesewas }: DataBatch) {
  return {
    orders_placed: placements.length,
    total_cost: ghs(chargedPesewas),
    new_balance: ghs(balancePesewas),
    orders: placements.map(({ order, isReplay }) => ({
      ...viewDataOrder(order),
      ...(isReplay ? { already_processed: true as const } : {}),
    })),
    skipped: [...skipped],
  }
}
