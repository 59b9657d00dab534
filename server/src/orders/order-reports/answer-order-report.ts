import { notifyAccounts } from '../../accounts/notices/notify-accounts.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import type { ReportFinding } from './order-report.ts'

/**
 * Answers a reseller's report of an order, notifies the reseller, and takes the report out of the queue. It moves neither
 * money nor the order.
 *
 * @returns false when nobody reported the order, or it was answered before
 */
export function answerOrderReport(
  db: Db,
  order: { readonly id: string; readonly reference: string },
  { answer, found, actor }: { readonly answer: string; readonly found?: ReportFinding | undefined; readonly actor: string },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const answered = await tx
      .updateTable('order_reports')
      .set(({ fn }) => ({ answer, found: found ?? null, answered_by: actor, answered_at: fn<Date>('clock_timestamp') }))
      .where('order_id', '=', order.id)
      .where('answered_at', 'is', null)
      .returning('account_id')
      .executeTakeFirst()
    if (!answered) return false
    await notifyAccounts(tx, [
      {
        accountId: answered.account_id,
        kind: 'report_answered',
        about: order.id,
        subject: `Your report of order ${order.reference} was answered`,
        text: `You reported that order ${order.reference} was not delivered. The answer: ${answer}\n\nWhat to do: look at the order, and tell your customer.`,
        sms: `Your report of order ${order.reference.slice(0, 40)} was answered. Look at the order in the dashboard.`,
      },
    ])
    const details = { before: 'waits', after: 'answered', answer, ...(found && { found }) }
    await appendOperatorLog(tx, { actor, action: 'order answer-report', subject: order.reference, details })
    return true
  })
}
