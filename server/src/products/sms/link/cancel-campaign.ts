import { sql } from 'kysely'
import { notifyAccounts } from '../../../accounts/notices/notify-accounts.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { RefusalError } from '../../../platform/http/refusals.ts'
import { appendOperatorLog } from '../../../platform/operator-log/append-operator-log.ts'
import { expandLockedCampaign } from '../campaigns/expand-campaigns.ts'
import { findOldestOpen } from '../campaigns/open-campaigns.ts'
import { settleCampaigns } from '../campaigns/settle-campaigns.ts'
import { smsRefusals } from '../sms.refusals.ts'
import { cancelledReason } from '../sms-statuses.ts'
import { lockClaims } from './claim-messages.ts'
import { messageMoves } from './message-life.ts'

export type CampaignAction = {
  readonly accountId: string
  readonly campaignId: string
  /** The e-mail of the person. */
  readonly actor: string
  /** The operator's reason; undefined when the account's own people act. */
  readonly operatorReason?: string | undefined
}

/** Tells the account that the operator stopped its campaign, and why. */
async function notifyOfStop(
  tx: Tx,
  { accountId, campaignId, operatorReason: reason = '' }: CampaignAction,
  act: 'paused' | 'cancelled',
) {
  const next =
    act === 'paused' ? 'write to us: only we can resume it.' : 'look at its messages. What had not left comes back as credits.'
  const fact = `We ${act} your SMS campaign ${campaignId}: ${reason}`
  await notifyAccounts(tx, [
    {
      accountId,
      kind: 'campaign_stopped',
      about: `${campaignId} ${act} ${new Date().toISOString()}`,
      subject: `An SMS campaign of yours was ${act}`,
      text: `${fact}\n\nWhat to do: ${next}`,
      sms: `We ${act} an SMS campaign of yours. The dashboard says why.`,
    },
  ])
}

/**
 * Logs the operator's action on an account's campaign, and tells the account when it was paused or cancelled. Does nothing when
 * the account's own people act.
 */
async function logOperator(tx: Tx, action: CampaignAction, act: 'pause' | 'resume' | 'cancel', change: Change): Promise<void> {
  const { operatorReason: reason, campaignId, accountId, actor } = action
  if (reason === undefined) return
  const details = { account_id: accountId, reason, ...change }
  await appendOperatorLog(tx, { actor, action: `campaign ${act}`, subject: campaignId, details })
  if (act !== 'resume') await notifyOfStop(tx, action, act === 'pause' ? 'paused' : 'cancelled')
}

type Change = { readonly before: string; readonly after: string }

/** The most campaigns of one transaction. */
const campaignsMax = 50

const isUnclaimed = sql<boolean>`
  submit = 'waiting' and (campaign_id, n) not in (select campaign_id, unnest(numbers) from sms_claims)`

/**
 * Ends the unclaimed messages of cancelled campaigns. They fail, except for those that wait again although they may have
 * arrived (`mayHaveArrived`), which count as sent. Claimed messages are sent, or wait again and are ended by a later call.
 * This transaction must have locked the claims.
 */
async function endWaiting(tx: Tx, campaignIds: readonly string[]): Promise<void> {
  const { cancelled, cancelledUnsent } = messageMoves
  await sql`
    with ended as (
      update sms_messages
      set status = case when may_have_arrived then ${cancelled.end}::text else ${cancelledUnsent.end}::text end,
        reason = case when may_have_arrived then 'cancelled; it may have arrived' else ${cancelledReason} end,
        submit = ${cancelled.to}, status_updated_at = clock_timestamp()
      where campaign_id = any(${campaignIds}::uuid[]) and ${isUnclaimed}
      returning campaign_id
    )
    update sms_campaigns set open_count = open_count - gone.count
    from (select campaign_id, count(*) as count from ended group by campaign_id) as gone
    where id = gone.campaign_id`.execute(tx)
}

type Locked = { status: string; is_cancelled: boolean; is_paused: boolean; is_paused_by_operator: boolean }

/**
 * Locks an account's campaign.
 * @throws RefusalError when the account has no such campaign
 */
async function lockCampaign(tx: Tx, { accountId, campaignId }: CampaignAction): Promise<Locked> {
  const { rows } = await sql<Locked>`
    select status, cancelled_at is not null as is_cancelled, paused_at is not null as is_paused, is_paused_by_operator
    from sms_campaigns
    where id = ${campaignId} and account_id = ${accountId} for update`.execute(tx)
  const [campaign] = rows
  if (!campaign) throw new RefusalError(smsRefusals.campaignNotFound)
  return campaign
}

/**
 * Cancels a campaign: no link sends its unclaimed messages, and their credits are refunded when the campaign settles, except
 * for messages that may have arrived before. Cancelling twice changes nothing.
 * @throws RefusalError when the account has no such campaign, or it has ended
 */
export async function cancelCampaign(db: Db, action: CampaignAction): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockClaims(tx)
    const { status, is_cancelled } = await lockCampaign(tx, action)
    if (is_cancelled) return
    if (status !== 'queued' && status !== 'processing') throw new RefusalError(smsRefusals.campaignEnded)
    if (status === 'queued') await expandLockedCampaign(tx, action.campaignId)
    await sql`
      update sms_campaigns
      set cancelled_at = clock_timestamp(), cancelled_by = ${action.actor},
        is_cancelled_by_operator = ${action.operatorReason !== undefined}
      where id = ${action.campaignId}`.execute(tx)
    await endWaiting(tx, [action.campaignId])
    await logOperator(tx, action, 'cancel', { before: status, after: 'cancelled' })
  })
  // The campaign is cancelled even when it cannot be settled now. The timer tries again and logs the failure.
  await settleCampaigns(db, [action.campaignId]).catch(() => undefined)
}

/**
 * Ends the waiting messages of cancelled campaigns: those that a link gave back after the cancellation, and those of campaigns
 * that were cancelled at their scheduled time.
 */
export async function concludeCancelled(db: Db): Promise<void> {
  const since = await findOldestOpen(db)
  if (!since) return
  await inTransaction(db, async (tx) => {
    await lockClaims(tx)
    const { rows } = await sql<{ id: string }>`
      select id from sms_campaigns where status = 'processing' and cancelled_at is not null and open_count > 0 and ${since('id')}
        and exists (select from sms_messages where campaign_id = sms_campaigns.id and ${since('campaign_id')} and ${isUnclaimed})
      order by id limit ${campaignsMax} for update`.execute(tx)
    if (rows.length > 0) {
      await endWaiting(
        tx,
        rows.map(({ id }) => id),
      )
    }
  })
}

/**
 * Pauses or resumes the sending of a campaign's messages. A campaign that stays paused ends at its deadline as any other:
 * unsent messages are refunded. Only the operator resumes a pause by the operator.
 * @throws RefusalError when the account has no such campaign, it is not being sent, or only the operator may resume it
 */
export async function pauseCampaign(db: Db, action: CampaignAction, isPaused: boolean): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Waits until no link is claiming. After this, no more messages of the campaign are claimed.
    await lockClaims(tx)
    const { status, is_cancelled, is_paused, is_paused_by_operator } = await lockCampaign(tx, action)
    if (status !== 'processing' || is_cancelled) throw new RefusalError(smsRefusals.campaignNotRunning)
    const isOperator = action.operatorReason !== undefined
    if (is_paused_by_operator && !isOperator && !isPaused) throw new RefusalError(smsRefusals.pausedByOperator)
    await sql`
      update sms_campaigns
      set paused_at = case when ${isPaused}::boolean then coalesce(paused_at, clock_timestamp()) end,
        paused_by = case when ${isPaused}::boolean then coalesce(paused_by, ${action.actor}) end,
        is_paused_by_operator = ${isPaused}::boolean and (is_paused_by_operator or ${isOperator}::boolean)
      where id = ${action.campaignId}`.execute(tx)
    const nameOf = (paused: boolean) => (paused ? 'paused' : 'sending')
    if (is_paused !== isPaused || (isPaused && isOperator !== is_paused_by_operator)) {
      await logOperator(tx, action, isPaused ? 'pause' : 'resume', { before: nameOf(is_paused), after: nameOf(isPaused) })
    }
  })
}

/**
 * Pauses every campaign that is due or being sent, because the database may have lost the record that some of its messages were
 * sent. A person resumes or cancels each campaign.
 * @returns how many campaigns are paused
 */
export async function pauseOpenCampaigns(tx: Tx, actor: string): Promise<{ campaigns_paused: number }> {
  await lockClaims(tx)
  const { rows: due } = await sql<{ id: string }>`
    select id from sms_campaigns
    where status = 'queued' and (scheduled_at is null or scheduled_at <= clock_timestamp()) order by id for update`.execute(tx)
  for (const { id } of due) await expandLockedCampaign(tx, id)
  const { rows: paused } = await sql<{ id: string }>`
    update sms_campaigns
    set paused_at = coalesce(paused_at, clock_timestamp()), paused_by = coalesce(paused_by, ${actor}),
      is_paused_by_operator = true
    where status = 'processing' and cancelled_at is null and open_count > 0
    returning id`.execute(tx)
  return { campaigns_paused: paused.length }
}
