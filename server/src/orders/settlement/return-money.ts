import { transferMany } from '../../money/move-money.ts'
import type { Pesewas } from '../../money/pesewas.ts'
import type { Tx } from '../../platform/database/database.ts'

/** An order and the money that goes back for it. */
export type Refund = {
  readonly orderId: string
  readonly accountId: string
  readonly pricePesewas: Pesewas
}

/**
 * Moves the price of orders from the platform's sales back into the main wallets. Only for orders that this
 * transaction moved to `refunded`; the ledger's key refuses a second refund of an order besides.
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
