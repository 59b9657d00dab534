import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { RefusalError } from '../../../platform/http/refusals.ts'
import { expandIn } from '../campaigns/expand-campaigns.ts'
import { settleCampaigns } from '../campaigns/settle-campaigns.ts'
import { smsRefusals } from '../sms.refusals.ts'
import { lockClaims } from './claim-messages.ts'
import { messageMoves } from './message-life.ts'

/** One campaign, and who wants something done with it. */
export type CampaignOrder = {
  readonly accountId: string
  readonly campaignId: string
  /** The e-mail of the person. */
  readonly actor: string
}

/** Campaigns of one transaction. */
const campaignsMax = 50

/**
 * Fails the messages of cancelled campaigns that no link has claimed: they surely were not sent. What a link has claimed
 * is sent, or waits again and is failed by a later call. The claims must be locked by this transaction.
 */
async function failUnsent(tx: Tx, campaignIds: readonly string[]): Promise<void> {
  const { cancelled } = messageMoves
  await sql`
    with failed as (
      update sms_messages
      set status = ${cancelled.end}, submit = ${cancelled.to}, reason = 'cancelled before it was handed over',
        status_updated_at = clock_timestamp()
      where campaign_id = any(${campaignIds}::uuid[]) and submit = 'waiting'
        and (campaign_id, n) not in (select campaign_id, unnest(numbers) from sms_claims)
      returning campaign_id
    )
    update sms_campaigns set open_count = open_count - gone.count
    from (select campaign_id, count(*) as count from failed group by campaign_id) as gone
    where id = gone.campaign_id`.execute(tx)
}

type Locked = { status: string; is_cancelled: boolean }

/** Locks an account's campaign. Another account's is as absent as one that does not exist. */
async function lockCampaign(tx: Tx, { accountId, campaignId }: CampaignOrder): Promise<Locked> {
  const { rows } = await sql<Locked>`
    select status, cancelled_at is not null as is_cancelled from sms_campaigns
    where id = ${campaignId} and account_id = ${accountId} for update`.execute(tx)
  const [campaign] = rows
  if (!campaign) throw new RefusalError(smsRefusals.campaignNotFound)
  return campaign
}

/**
 * Cancels a campaign: what no link has claimed is never sent, and its credits come back when the campaign settles. What
 * may have been sent stays as it is. To cancel twice changes nothing.
 *
 * @throws RefusalError when the account has no such campaign, or it has ended
 */
export async function cancelCampaign(db: Db, order: CampaignOrder): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockClaims(tx)
    const { status, is_cancelled } = await lockCampaign(tx, order)
    if (is_cancelled) return
    if (status !== 'queued' && status !== 'processing') throw new RefusalError(smsRefusals.campaignEnded)
    if (status === 'queued') await expandIn(tx, order.campaignId)
    await sql`
      update sms_campaigns set cancelled_at = clock_timestamp(), cancelled_by = ${order.actor}
      where id = ${order.campaignId}`.execute(tx)
    await failUnsent(tx, [order.campaignId])
  })
  await settleCampaigns(db)
}

/** Does for all cancelled campaigns what was left over: messages that waited again after a link had claimed them. */
export async function concludeCancelled(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockClaims(tx)
    const { rows } = await sql<{ id: string }>`
      select id from sms_campaigns where status = 'processing' and cancelled_at is not null and open_count > 0
      order by id limit ${campaignsMax} for update`.execute(tx)
    if (rows.length > 0) {
      await failUnsent(
        tx,
        rows.map(({ id }) => id),
      )
    }
  })
}

/**
 * Stops the handing over of a campaign's messages, or goes on with it. A campaign that stays paused ends at its deadline
 * as any other: what has not left comes back.
 *
 * @throws RefusalError when the account has no such campaign, or it is not being sent
 */
export async function pauseCampaign(db: Db, order: CampaignOrder, isPaused: boolean): Promise<void> {
  await inTransaction(db, async (tx) => {
    // No link is in the middle of a claim: after this, nothing more of the campaign is claimed.
    await lockClaims(tx)
    const { status, is_cancelled } = await lockCampaign(tx, order)
    if (status !== 'processing' || is_cancelled) throw new RefusalError(smsRefusals.campaignNotRunning)
    await sql`
      update sms_campaigns
      set paused_at = case when ${isPaused}::boolean then coalesce(paused_at, clock_timestamp()) end,
        paused_by = case when ${isPaused}::boolean then coalesce(paused_by, ${order.actor}) end
      where id = ${order.campaignId}`.execute(tx)
  })
}
