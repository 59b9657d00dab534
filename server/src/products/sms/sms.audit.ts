import { sql } from 'kysely'
import { idRules } from '../../money/audit.ts'
import { segmentsOfMessage } from './campaigns/settle-campaigns.ts'

/** Rules between campaigns, their messages, their credits and the purchases of credits. */
export const smsAuditChecks = idRules({
  /** The charged credits must equal the segments of accepted and open messages plus the refunded credits. */
  sms_charged_differs_from_accepted_and_refunded: (within) => sql`
    from sms_campaigns as campaign
    left join lateral (
      select coalesce(sum(${segmentsOfMessage}) filter (where status <> 'failed'), 0) as kept,
        coalesce(sum(${segmentsOfMessage}) filter (where status = 'failed'), 0) as failed
      from sms_messages as message where campaign_id = campaign.id
    ) as messages on true
    left join lateral (
      select sum(amount) as amount from transfers where cause_id = campaign.id and kind in ('refund', 'sms_refund')
    ) as given_back on true
    where ${within(sql`campaign.id`)} and settled_at is not null
      and (credits_charged <> messages.kept + credits_refunded
        or credits_refunded <> messages.failed
        or credits_refunded <> coalesce(given_back.amount, 0))`,
  /** A campaign with `{name}` has texts of different lengths. Its charge must be the sum of their segments. */
  sms_charged_differs_from_the_segments_of_each: (within) => sql`
    from sms_campaigns
    where ${within(sql`id`)} and segments_of_each is not null
      and credits_charged <> (select sum(each) from unnest(segments_of_each) as each)`,
  sms_campaign_differs_from_its_order: (within) => sql`
    from (select * from orders where kind = 'sms' and ${within(sql`id`)}) as orders
    full join (select * from sms_campaigns where status <> 'blocked' and ${within(sql`id`)}) as campaigns on campaigns.id = orders.id
    where orders.id is null or campaigns.id is null or orders.price <> campaigns.credits_charged
      or orders.account_id <> campaigns.account_id
      or orders.status <> case campaigns.status
        when 'queued' then 'pending' when 'failed' then 'refunded' else campaigns.status end`,
  sms_campaign_counts_differ_from_messages: (within) => sql`
    from sms_campaigns
    left join lateral (
      select count(*) as all, count(*) filter (where status = 'queued') as open from sms_messages where campaign_id = sms_campaigns.id
    ) as messages on true
    where ${within(sql`id`)} and case
      when expanded_at is null then messages.all <> 0 or open_count <> case when status = 'blocked' then 0 else recipients_count end
      else messages.all <> recipients_count or messages.open <> open_count end`,
  sms_refund_without_settled_campaign: (within) => sql`
    from transfers
    left join sms_campaigns on sms_campaigns.id = transfers.cause_id and settled_at is not null and ${within(sql`sms_campaigns.id`)}
    where transfers.kind = 'sms_refund' and ${within(sql`transfers.cause_id`)}
      and (sms_campaigns.id is null or sms_campaigns.account_id <> transfers.account_id)`,
  /** A blocked campaign is no order and costs nothing (decision M4). */
  sms_blocked_campaign_with_order: (within) => sql`
    from sms_campaigns join orders on orders.id = sms_campaigns.id
    where sms_campaigns.status = 'blocked' and ${within(sql`sms_campaigns.id`)} and ${within(sql`orders.id`)}`,
  /** Credits bought in the app: the price has left the wallet, and the credits have come in. */
  sms_credits_bought_differ_from_their_transfers: (within) => sql`
    from (select * from sms_credit_purchases where ${within(sql`id`)}) as purchase
    full join (
      select * from transfers where ${within(sql`cause_id`)} and kind = 'credits_paid'
    ) as paid on paid.cause_id = purchase.id
    full join (
      select * from transfers where ${within(sql`cause_id`)} and kind = 'credits_bought'
    ) as bought on bought.cause_id = coalesce(purchase.id, paid.cause_id)
    where purchase.id is null or paid.cause_id is null or bought.cause_id is null
      or paid.amount <> purchase.price or paid.account_id <> purchase.account_id
      or paid.from_purse <> 'main' or paid.to_purse <> 'sales'
      or bought.amount <> purchase.credits or bought.account_id <> purchase.account_id
      or bought.from_purse <> 'sms_credit_sales' or bought.to_purse <> 'sms_credits'`,
})
