import { sql } from 'kysely'
import Type from 'typebox'
import { endWaitingNotices } from '../../notices/queue-notices.ts'
import { ApprovalRefusedError, defineApprovalKind } from '../../platform/approvals/approval-kind.ts'
import type { Tx } from '../../platform/database/database.ts'
import { findOpenGap, type Gap } from '../../platform/history/gaps.ts'
import { askUnsentOrders } from './ask-unsent-orders.ts'
import { clearHistoryAlarm } from './history-alarm.ts'

/**
 * Called for a product after the database went back, before sales and sends go on. Keeps back, for a person to decide, what may
 * have been sent or sold already.
 * @returns figures for the operator's log and for `makola history accept`
 */
export type KeepBack = (tx: Tx, actor: string) => Promise<Readonly<Record<string, number>>>

async function lockGap(tx: Tx): Promise<Gap> {
  await sql`select from history_gaps where accepted_at is null for update`.execute(tx)
  const gap = await findOpenGap(tx)
  if (!gap) throw new ApprovalRefusedError('History has not gone back: nothing waits to be accepted.')
  return gap
}

/** The approval to go on after history went back. What may have been sent is asked about, or kept back, before any send. */
export const historyKind = (products: readonly { readonly keepBack?: KeepBack }[]) =>
  defineApprovalKind({
    name: 'history accept',
    schema: Type.Object({ gapId: Type.String() }),
    describe: () => 'go on after the history of the database went back',
    async lockAndPreview(tx, { gapId }) {
      const gap = await lockGap(tx)
      if (gap.id !== gapId) throw new ApprovalRefusedError('History went back once more since. Look again.')
      return { before: 'nothing is sold or sent', after: 'orders that may have been sent are asked about first' }
    },
    async carryOut(tx, { gapId }, { actor }) {
      const figures: Record<string, number> = {}
      for (const { keepBack } of products) Object.assign(figures, await keepBack?.(tx, actor))
      figures['notices_not_sent'] = await endWaitingNotices(tx)
      figures['orders_asked_about'] = await askUnsentOrders(tx, actor)
      await sql`
        update history_gaps set accepted_at = clock_timestamp(), accepted_by = ${actor}, kept_back = ${JSON.stringify(figures)}
        where id = ${gapId} and accepted_at is null`.execute(tx)
      await clearHistoryAlarm(tx, { id: gapId })
      return figures
    },
  })
