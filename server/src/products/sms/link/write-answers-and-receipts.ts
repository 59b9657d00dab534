import type { Db } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import type { Settings } from '../../../platform/settings/settings.ts'
import type { SmsReceipt } from '../../../suppliers/sms-ports.ts'
import { settleCampaigns } from '../campaigns/settle-campaigns.ts'
import { smsReceiptDays } from '../sms.settings.ts'
import { type Claim, endClaims, releaseMessages } from './claim-messages.ts'
import { deleteKeptAnswers } from './commit-window.ts'
import { moveByAnswer } from './message-life.ts'
import type { SentLately } from './sent-lately.ts'
import { type MessageAnswer, writeAnswers } from './write-answers.ts'
import { writeReceipts } from './write-receipts.ts'

export type AnswersAndReceipts = {
  /** At most one per message. */
  readonly answers: readonly MessageAnswer[]
  /** Ids under which the answers are kept until they are written. */
  readonly keptIds: readonly string[]
  readonly receipts: readonly SmsReceipt[]
}

/** Lists the claims that have no open message after these answers. */
function endedClaims(answers: readonly MessageAnswer[]): string[] {
  const counts = new Map<Claim, number>()
  for (const { message, isLate } of answers) if (!isLate) counts.set(message.claim, (counts.get(message.claim) ?? 0) + 1)
  return [...counts].flatMap(([claim, count]) => (claim.openCount === count ? claim.id : []))
}

/**
 * Writes answers and receipts to their messages in one transaction. Then settles the campaigns that these answers completed.
 * @param sentLately the link's memory of sent texts
 */
export async function writeAnswersAndReceipts(
  { db, settings }: { readonly db: Db; readonly settings: Settings },
  supplier: { readonly name: string; readonly resubmitsUnanswered: boolean },
  { answers, keptIds, receipts }: AnswersAndReceipts,
  sentLately: SentLately,
): Promise<void> {
  const receiptDays = await settings.read(smsReceiptDays)
  const waitsAgain = (each: MessageAnswer) => moveByAnswer(each, supplier.resubmitsUnanswered).to === 'waiting'
  const settling = await inTransaction(db, async (tx) => {
    const ids = await writeAnswers(tx, supplier.name, answers, supplier.resubmitsUnanswered)
    await endClaims(tx, endedClaims(answers))
    const waiting = answers.filter((each) => !each.isLate && waitsAgain(each))
    await releaseMessages(
      tx,
      waiting.map(({ message }) => message),
    )
    await deleteKeptAnswers(tx, keptIds)
    // Only longer texts are passed: a receipt ends a text of one segment without `concludeMessages`.
    const several = answers.filter(({ message }) => message.text.segments.length > 1)
    const justSent = several.map(({ message }) => ({ campaign_id: message.campaignId, n: message.n }))
    await writeReceipts(tx, supplier.name, receipts, receiptDays, justSent, sentLately)
    return ids
  })
  sentLately.add(answers)
  // A failed settlement must not make these answers be written again. The timer tries it again and logs the failure.
  if (settling.length > 0) await settleCampaigns(db, settling).catch(() => undefined)
}
