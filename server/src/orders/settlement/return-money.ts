import { amountIn } from '../../money/amount.ts'
import type { Pesewas } from '../../money/pesewas.ts'
import { transferMany } from '../../money/transfer-many.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Order, pesewasOf, type SoldBy } from '../order.ts'
import { notifyOfLateRefunds } from './notify-of-late-refunds.ts'

export type Refund = {
  readonly orderId: string
  readonly accountId: string
  readonly pricePesewas: Pesewas
  readonly reference: string
  readonly placedAt: Date
}

/** @throws Error when the order was paid in credits */
export function refundOf(soldBy: SoldBy, order: Order): Refund {
  const { id: orderId, accountId, reference, createdAt: placedAt } = order
  return { orderId, accountId, pricePesewas: pesewasOf(soldBy, order), reference, placedAt }
}

/**
 * Moves the price of orders from the platform's sales back into the main wallets. Call it only for orders that this transaction
 * moved to `refunded`. The primary key of `transfers` refuses a second refund of an order. Owners of old orders get a notice.
 */
export async function returnMoney(tx: Tx, refunds: readonly Refund[]): Promise<void> {
  const paid = refunds.filter(({ pricePesewas }) => pricePesewas > 0)
  await transferMany(
    tx,
    paid.map(({ orderId, accountId, pricePesewas }) => ({
      causeId: orderId,
      kind: 'refund' as const,
      accountId,
      fromPurse: 'sales' as const,
      toPurse: 'main' as const,
      amount: pricePesewas,
    })),
  )
  await notifyOfLateRefunds(
    tx,
    paid.map(({ pricePesewas, ...order }) => ({ ...order, given: amountIn('pesewas', pricePesewas) })),
  )
}
