import { sql } from 'kysely'
import { commissionTermsOf, splitCommission } from '../../money/commission-terms.ts'
import { transferMany } from '../../money/transfer-many.ts'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { type Order, pesewasOf, type SoldBy } from '../order.ts'

/** True when completing the order may credit its owner's Commission Wallet, which must then be locked before anything else. */
export function mayEarnCommission(order: Order): boolean {
  return (commissionTermsOf(order.details)?.shareBasisPoints ?? 0) > 0
}

/** True when completing the order writes a commission, even one of 0. */
export function earnsCommission(order: Order): boolean {
  return commissionTermsOf(order.details) !== undefined
}

/** By order id, the commission that the supplier last reported for the attempt that delivered. */
async function readReported(tx: Tx, orderIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ order_id: string; reported_commission: number }>`
    select distinct on (attempts.order_id) attempts.order_id, attempt_answers.reported_commission
    from attempts join attempt_answers using (order_id, attempt_no)
    where attempts.order_id = any(${orderIds}::uuid[]) and attempts.outcome = 'delivered'
      and attempt_answers.reported_commission is not null
    order by attempts.order_id, attempt_answers.answer_no desc`.execute(tx)
  return new Map(rows.map((row) => [row.order_id, row.reported_commission]))
}

/**
 * Credits the commission of completed orders to the Commission Wallet of each order's account (decisions S5: who earns; S6: the
 * shares; S7: rounded down). It runs in the transaction that completes the orders, after the suppliers' answers were stored,
 * because it reads the reported commission from them. An order is completed only once. The primary keys of `order_commissions`
 * and `transfers` refuse a second commission as well.
 */
export async function creditCommissions(tx: Tx, completed: readonly { order: Order; product: SoldBy }[]): Promise<void> {
  const earning = completed.flatMap(({ order, product }) => {
    const terms = commissionTermsOf(order.details)
    return terms ? { order, product, terms } : []
  })
  if (earning.length === 0) return
  const reported = await readReported(
    tx,
    earning.map(({ order }) => order.id),
  )
  const earned = earning.map(({ order, product, terms }) => ({
    order,
    split: splitCommission(pesewasOf(product, order), reported.get(order.id) ?? null, terms),
  }))
  await sql`
    insert into order_commissions ${rowsOf(earned, {
      order_id: ['uuid', ({ order }) => order.id],
      account_id: ['uuid', ({ order }) => order.accountId],
      base: ['bigint', ({ split }) => split.base],
      caller: ['bigint', ({ split }) => split.caller],
      platform: ['bigint', ({ split }) => split.platform],
      source: ['text', ({ split }) => split.source],
    }).forInsert()}`.execute(tx)
  await transferMany(
    tx,
    earned
      .filter(({ split }) => split.caller > 0)
      .map(({ order, split }) => ({
        causeId: order.id,
        kind: 'commission' as const,
        accountId: order.accountId,
        fromPurse: 'commission_expense' as const,
        toPurse: 'commission' as const,
        amount: split.caller,
      })),
  )
}
