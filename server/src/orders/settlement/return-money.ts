import { transferMany } from '../../money/move-money.ts'
import type { Pesewas } from '../../money/pesewas.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Order, pesewasOf, type SoldBy } from '../order.ts'

/** An order that was paid in money, and the amount that goes back. */
export type Refund = {
  readonly orderId: string
  readonly accountId: string
  readonly pricePesewas: Pesewas
}

/** The whole price of an order as a refund. @throws Error when it was paid in credits */
export function refundOf(soldBy: SoldBy, order: Order): Refund {
  return { orderId: order.id, accountId: order.accountId, pricePesewas: pesewasOf(soldBy, order) }
}

/**
 * Moves the price of orders from the platform's sales back into the main wallets. Call it only for orders that this
 * transaction moved to `refunded`. The ledger's key refuses a second refund of an order.
 */
export async function returnMoney(tx: Tx, refunds: readonly Refund[]): Promise<void> {
  await transferMany(
    tx,
    refunds
      .filter(({ pricePesewas }) => pricePesewas > 0)
      .map(({ orderId, accountId, pricePesewas }) => ({
        causeId: orderId,
        kind: 'refund' as const,
        accountId,
        fromPurse: 'sales' as const,
        toPurse: 'main' as const,
        amount: pricePesewas,
      })),
  )
}
