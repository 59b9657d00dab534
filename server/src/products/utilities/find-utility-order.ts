import { sql } from 'kysely'
import type { Caller } from '../../accounts/caller.ts'
import { ghs, pesewas } from '../../money/pesewas.ts'
import { type Order, type OrderRow, orderOf, pesewasOf } from '../../orders/order.ts'
import { findAccountName } from '../../orders/queries/find-order.ts'
import { findRefundReason } from '../../orders/settlement/explain-refund.ts'
import type { Db } from '../../platform/database/database.ts'
import { readId } from '../../platform/database/read-id.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import { readBillDetails, utilitiesKind } from './utilities.kind.ts'
import type { UtilityStatus } from './utilities.schemas.ts'

/**
 * Finds the order by our reference, or by its id, which callers store from the pay response (decision R12: look-ups by
 * reference or id). No reference of ours looks like an id.
 */
async function findOwnOrder(db: Db, accountId: string, name: string): Promise<Order | undefined> {
  const { rows } = await sql<OrderRow>`
    select * from orders
    where kind = 'utilities' and account_id = ${accountId}
      and (reference = ${name} or id = ${readId(name) ?? null}::uuid)`.execute(db)
  return rows[0] && orderOf(rows[0])
}

/** The caller's commission in GHS; null until the order is completed. */
async function readCommissionEarned(db: Db, order: Order): Promise<number | null> {
  if (order.status !== 'completed') return null
  const earned = await db.selectFrom('order_commissions').select('caller').where('order_id', '=', order.id).executeTakeFirst()
  return ghs(pesewas(earned?.caller ?? 0))
}

/**
 * A bill payment as its owner sees it (contract, Utility order), by our reference or its id.
 * @throws RefusalError 404, also when the order belongs to another account
 */
export async function findUtilityOrder(db: Db, caller: Caller, reference: string) {
  const order = await findOwnOrder(db, caller.accountId, reference)
  if (!order) throw new RefusalError(refusals.orderNotFound)
  const details = readBillDetails(order)
  const reason = await findRefundReason(db, order)
  return {
    reference: order.reference,
    status: order.status as UtilityStatus,
    payment_status: order.status === 'refunded' ? ('refunded' as const) : ('paid' as const),
    biller: details.biller,
    account_number: order.recipient,
    // The name reported with the payment is newer than the stored one of the look-up.
    account_name: (await findAccountName(db, order.id)) ?? details.accountName,
    amount: ghs(pesewasOf(utilitiesKind, order)),
    commission_earned: await readCommissionEarned(db, order),
    ...(reason === undefined ? {} : { reason }),
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
  }
}
