import { sql } from 'kysely'
import { moveOrders } from '../../../orders/settlement/move-orders.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { optedOutReason } from '../sms-statuses.ts'
import { findOldestOpen, type SinceOldestOpen } from './open-campaigns.ts'

/** The most campaigns of one round; small ones come first. */
const campaignsMax = 20

/**
 * True when a queued campaign may begin. A campaign to several numbers counts as advertising, and waits for the end of the
 * quiet hours. A text to one number, such as a code, does not wait.
 */
export const isCampaignDue = sql<boolean>`status = 'queued' and (scheduled_at is null or scheduled_at <= clock_timestamp())
  and (recipients_count + cardinality(left_out) = 1 or (select quiet_until(clock_timestamp())) is null)`

async function findDue(db: Db, seen: readonly string[], since: SinceOldestOpen): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from sms_campaigns
    where ${isCampaignDue} and ${since('id')} and id <> all(${seen}::uuid[])
    order by is_bulk, id limit 1`.execute(db)
  return rows[0]?.id
}

/** Writes one message per recipient. A number's network is the one it was ported to, else that of its prefix, else `any`. */
async function writeMessages(tx: Tx, campaignId: string): Promise<void> {
  await sql`
    with recipient as materialized (
      select id, n, recipient, '0' || substr(recipient, 4) as number, is_bulk
      from sms_campaigns, unnest(recipients) with ordinality as wanted (recipient, n)
      where id = ${campaignId}
    ), own as (
      select distinct on (prefix) prefix, network from number_prefixes join networks on networks.name = number_prefixes.network
      where product = 'sms' order by prefix, position
    ), carried as materialized (
      select number, network from ported_numbers join networks on networks.name = ported_numbers.network
      where product = 'sms' and number in (select number from recipient)
    )
    insert into sms_messages (campaign_id, n, recipient, network, is_bulk)
    select id, n, recipient, coalesce(carried.network, own.network, 'any'), is_bulk
    from recipient left join carried on carried.number = recipient.number left join own on own.prefix = substr(recipient.number, 1, 3)`.execute(
    tx,
  )
}

/**
 * Fails the messages of a campaign to several numbers whose number has opted out since it was placed, which may be months ago.
 * @returns how many; their credits come back when the campaign settles
 */
async function failOptedOut(tx: Tx, campaignId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update sms_messages as message
    set status = 'failed', submit = 'answered', reason = ${optedOutReason}, status_updated_at = clock_timestamp()
    from sms_campaigns as campaign join sms_contacts on list_id = campaign.account_id
    where campaign.id = ${campaignId} and recipients_count + cardinality(left_out) > 1
      and message.campaign_id = ${campaignId} and message.recipient = sms_contacts.recipient`.execute(tx)
  return Number(numAffectedRows)
}

/** Writes the messages of a queued campaign and moves it to `processing`. The campaign must be locked by this transaction. */
export async function expandLockedCampaign(tx: Tx, campaignId: string): Promise<void> {
  await writeMessages(tx, campaignId)
  const optedOut = await failOptedOut(tx, campaignId)
  const moved = await moveOrders(tx, 'pending', 'processing', 'worker', [{ orderId: campaignId, reason: null }])
  if (moved.length !== 1) throw new Error(`campaign ${campaignId} was queued, but its order was not pending`)
  await sql`
    update sms_campaigns
    set status = 'processing', expanded_at = clock_timestamp(), open_count = open_count - ${optedOut}::integer
    where id = ${campaignId}`.execute(tx)
}

/**
 * Cancels a scheduled campaign at its time when its account may not send it any more: the account is suspended or no business,
 * or has lost the sender. No link claims the messages then, and the timer of overdue SMS refunds the credits.
 */
async function withdrawIfNotAllowed(tx: Tx, campaignId: string): Promise<void> {
  await sql`
    update sms_campaigns as campaign
    set cancelled_at = clock_timestamp(), cancelled_by = 'worker', cancel_reason = decided.reason
    from (
      select wanted.id,
        case
          when accounts.status <> 'active' then 'account_suspended'
          when not accounts.is_business then 'no_business_account'
          when not exists (
            select from sms_senders
            where sms_senders.sender = wanted.sender and sms_senders.status = 'approved'
              and (sms_senders.account_id = wanted.account_id or sms_senders.account_id is null)
          ) then 'sender_not_approved'
        end as reason
      from sms_campaigns as wanted join accounts on accounts.id = wanted.account_id
      where wanted.id = ${campaignId} and wanted.scheduled_at is not null
    ) as decided
    where campaign.id = decided.id and decided.reason is not null`.execute(tx)
}

/** @returns false when another process expands it, or has done so */
function expandCampaign(db: Db, campaignId: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql`
      select from sms_campaigns where id = ${campaignId} and status = 'queued' for update skip locked`.execute(tx)
    if (rows.length === 0) return false
    await expandLockedCampaign(tx, campaignId)
    await withdrawIfNotAllowed(tx, campaignId)
    return true
  })
}

/**
 * Writes the messages of due campaigns, one row per recipient, and moves the campaigns to `processing`. A second process
 * finds a campaign moved and writes nothing.
 * @param onExpanded called after each campaign, so that its messages need not wait for those of the next
 * @returns how many campaigns were expanded; if any, there may be more
 * @throws AggregateError when some could not be expanded; the others are
 */
export async function expandCampaigns(db: Db, onExpanded: () => void = () => undefined): Promise<number> {
  const seen: string[] = []
  const failures: unknown[] = []
  let expanded = 0
  const since = await findOldestOpen(db)
  if (!since) return 0
  while (seen.length < campaignsMax) {
    const campaignId = await findDue(db, seen, since)
    if (campaignId === undefined) break
    seen.push(campaignId)
    const isExpanded = await expandCampaign(db, campaignId).catch((error: unknown) => void failures.push(error))
    if (!isExpanded) continue
    expanded += 1
    onExpanded()
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} SMS campaigns could not be taken up`)
  return expanded
}
