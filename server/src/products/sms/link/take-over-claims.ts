import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { amongIds } from '../../../platform/partitions/partitions.ts'
import { settleAllCampaigns } from '../campaigns/settle-campaigns.ts'
import { lockClaims } from './claim-messages.ts'
import { type LinkHolder, linkLock, takeKeptAnswers } from './commit-window.ts'
import { messageMoves } from './message-life.ts'
import { writeAnswers } from './write-answers.ts'
import { writeReceipts } from './write-receipts.ts'

/** Treatment of an earlier holder's messages. */
export type TakeOverOptions = {
  /** True when the operator allows sending messages again that may have been sent. */
  readonly isResubmitting: boolean
  readonly receiptDays: number
}

async function writeKeptAnswers(tx: Tx, supplier: string, { isResubmitting, receiptDays }: TakeOverOptions): Promise<void> {
  for (const answers of await takeKeptAnswers(tx, supplier)) {
    await writeAnswers(tx, supplier, answers, isResubmitting)
    // Receipts may have come before the answers to their submits were written.
    const justSent = answers.map(({ message }) => ({ campaign_id: message.campaignId, n: message.n }))
    await writeReceipts(tx, supplier, [], receiptDays, justSent)
  }
}

/** Messages in the window of an earlier holder may have been sent. */
async function giveBackWindow(
  tx: Tx,
  supplier: string,
  { isResubmitting }: TakeOverOptions,
  campaignIds: readonly string[],
): Promise<void> {
  if (campaignIds.length === 0) return
  const { to } = isResubmitting ? messageMoves.unknownAndResubmitted : messageMoves.unknown
  await sql`
    update sms_messages as message
    set submit = ${to}, supplier = case when ${to} = 'waiting' then null else ${supplier} end,
      claimed_at = case when ${to} = 'waiting' then null else clock_timestamp() end,
      may_have_arrived = may_have_arrived or ${to} = 'waiting'
    from sms_windows, unnest(campaign_ids, numbers) as named (campaign_id, n)
    where sms_windows.supplier = ${supplier} and message.campaign_id = named.campaign_id and message.n = named.n
      and ${amongIds('message.campaign_id', campaignIds)}
      and message.submit = 'waiting'`.execute(tx)
}

async function takeOver(tx: Tx, supplier: string, inheritance: TakeOverOptions): Promise<LinkHolder> {
  const token = newId()
  await lockClaims(tx)
  // Replaces the earlier holder first: from here on it can store no answers and send nothing.
  const { rows } = await sql<{ campaign_ids: string[] }>`
    insert into sms_windows (supplier, holder, campaign_ids, numbers) values (${supplier}, ${token}, '{}', '{}')
    on conflict (supplier) do update set holder = excluded.holder returning campaign_ids`.execute(tx)
  await writeKeptAnswers(tx, supplier, inheritance)
  await giveBackWindow(tx, supplier, inheritance, rows[0]?.campaign_ids ?? [])
  await sql`delete from sms_claims where supplier = ${supplier}`.execute(tx)
  await sql`update sms_windows set campaign_ids = '{}', numbers = '{}' where supplier = ${supplier}`.execute(tx)
  return { supplier, token }
}

/**
 * Takes over the messages of an earlier holder of the link, and writes the answers that it kept. Messages in its window may have
 * been sent, so their outcome is unknown. Claimed messages that never entered the window were certainly not sent, and wait for
 * the next claim.
 * @returns the new holder, whose token every claim and send needs
 */
export async function takeOverClaims(db: Db, supplier: string, inheritance: TakeOverOptions): Promise<LinkHolder> {
  const holder = await inTransaction(db, (tx) => takeOver(tx, supplier, inheritance))
  // A campaign that cannot be settled now must not keep the link closed. The timer tries again and logs the failure.
  await settleAllCampaigns(db).catch(() => undefined)
  return holder
}

/** A link whose holder has not reported for this long counts as having none. */
const orphanSeconds = 60

/**
 * Releases the claims of links without a holder, so that other suppliers may take the messages. Does not send messages again
 * that may have been sent.
 */
export async function releaseOrphanedClaims(db: Db, receiptDays: number): Promise<void> {
  const { rows } = await sql<{ supplier: string }>`
    select supplier from sms_windows
    where (exists (select from sms_claims where sms_claims.supplier = sms_windows.supplier)
        or exists (select from sms_kept_answers where sms_kept_answers.supplier = sms_windows.supplier))
      and not exists (
        select from sms_links where sms_links.supplier = sms_windows.supplier
          and seen_at > clock_timestamp() - make_interval(secs => ${orphanSeconds}))`.execute(db)
  for (const { supplier } of rows) {
    await inTransaction(db, async (tx) => {
      const { rows: locks } = await sql<{ is_free: boolean }>`
        select pg_try_advisory_xact_lock(${linkLock(supplier)}) as is_free`.execute(tx)
      if (locks[0]?.is_free) await takeOver(tx, supplier, { isResubmitting: false, receiptDays })
    })
  }
}
