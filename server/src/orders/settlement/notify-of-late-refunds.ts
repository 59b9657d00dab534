import { notifyAccounts } from '../../accounts/notices/notify-accounts.ts'
import { type Amount, formatAmount } from '../../money/amount.ts'
import type { ResellerNotice } from '../../notices/queue-notices.ts'
import type { Tx } from '../../platform/database/database.ts'

export type LateRefund = {
  readonly orderId: string
  readonly accountId: string
  readonly reference: string
  readonly placedAt: Date
  readonly given: Amount
}

/**
 * An order older than this gets a notice, because the program that placed it may have stopped asking about it. The limit need not
 * be exact to the second.
 */
const oldMilliseconds = 24 * 3_600 * 1_000

function refundNotice({ orderId, accountId, reference, placedAt, given }: LateRefund): ResellerNotice {
  const amount = formatAmount(given)
  const purse = given.unit === 'credits' ? 'SMS credits' : 'main wallet'
  const day = placedAt.toISOString().slice(0, 10)
  return {
    accountId,
    kind: 'order_refunded',
    about: orderId,
    subject: `${amount} came back for order ${reference}`,
    text: `For your order ${reference} of ${day} ${amount} went back to your ${purse}.\n\nWhat to do: tell your customer. If it is still wanted, place it again under a new reference.`,
    sms: `For order ${reference.slice(0, 40)} of ${day} ${amount} went back to your ${purse}.`,
  }
}

/**
 * Writes notices of refunds to the owners of orders older than a day, in the transaction of the refunds. Nearly all
 * refunded orders are younger; for these nothing is read or written.
 */
export async function notifyOfLateRefunds(tx: Tx, refunds: readonly LateRefund[]): Promise<void> {
  const oldest = Date.now() - oldMilliseconds
  await notifyAccounts(tx, refunds.filter(({ placedAt }) => placedAt.getTime() < oldest).map(refundNotice))
}
