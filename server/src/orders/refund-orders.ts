import { transferMany } from '../money/move-money.ts'
import type { Pesewas } from '../money/pesewas.ts'
import type { Tx } from '../platform/database/database.ts'
import { moveOrders } from './move-orders.ts'

/** A failed order and the money that goes back for it. */
export type Refund = {
  readonly orderId: string
  readonly accountId: string
  readonly pricePesewas: Pesewas
}

/**
 * Moves failed orders to `refunded` and their price from the platform's sales back into the main wallets,
 * in this transaction. Whoever comes second finds the order no longer `failed` and moves nothing; the
 * ledger's key refuses a second refund besides. The wallets must have been locked before the orders.
 *
 * @returns the ids of the orders that were refunded now
 */
export async function refundOrders(tx: Tx, refunds: readonly Refund[], actor: string): Promise<string[]> {
  const moves = refunds.map(({ orderId }) => ({ orderId, reason: null }))
  const moved = new Set(await moveOrders(tx, 'failed', 'refunded', actor, moves))
  const due = refunds.filter((refund) => moved.has(refund.orderId) && refund.pricePesewas > 0)
  await transferMany(
    tx,
    due.map((refund) => ({
      causeId: refund.orderId,
      kind: 'refund' as const,
      accountId: refund.accountId,
      fromPurse: 'sales' as const,
      toPurse: 'main' as const,
      amount: refund.pricePesewas,
    })),
  )
  return [...moved]
}
