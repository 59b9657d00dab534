import { Link } from 'wouter'
import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { StateOf } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { formatCount } from '../../both/money/format-ghs.ts'
import { campaignStates, cancelReasons } from '../../both/sms/campaign-words.ts'
import { Delivery } from '../../both/sms/delivery.tsx'
import { Facts } from '../frame/panel.tsx'
import { deskSmsWords } from '../words/sms.ts'
import { CampaignActs } from './campaign-acts.tsx'
import { CampaignMessages } from './campaign-messages.tsx'
import css from './sms.module.css'

const momentOf = (at: string | null) => at && <Moment at={at} />

function factsOf(campaign: Schema<'DeskCampaign'>) {
  const { cancel_reason: cause } = campaign
  return {
    [fieldWords.account]: campaign.account,
    [fieldWords.made]: momentOf(campaign.created_at),
    [deskSmsWords.scheduledFor]: momentOf(campaign.scheduled_at),
    [fieldWords.ended]: momentOf(campaign.settled_at),
    [deskSmsWords.charged]: formatCount(campaign.credits_charged),
    [deskSmsWords.refunded]: formatCount(campaign.credits_refunded),
    [deskSmsWords.blockedBy]: campaign.blocked_by,
    [deskSmsWords.pausedBy]: campaign.paused_by,
    [deskSmsWords.cancelledBy]: campaign.cancelled_by ?? (cause && (cancelReasons[cause] ?? cause)),
  }
}

function Shown({ campaign }: { readonly campaign: Schema<'DeskCampaign'> }) {
  return (
    <>
      <header className={css.head}>
        <h2 className={css.headTitle}>
          {campaign.sender} {deskSmsWords.to(campaign.recipients)}
        </h2>
        <StateOf {...campaignStates[campaign.state]} />
      </header>
      <p className="soft fine">
        <Link href={`/accounts/${campaign.account_id}`}>{campaign.account_name}</Link> ·{' '}
        {campaign.credits_charged > 0 && campaign.credits_charged < campaign.segments * campaign.recipients
          ? deskSmsWords.upTo(campaign.segments)
          : deskSmsWords.each(campaign.segments)}
      </p>
      <Delivery counts={campaign.delivery} isInWords />
      <p className={css.message}>{campaign.message}</p>
      <CampaignActs campaign={campaign} />
      <Facts label={deskSmsWords.panel} facts={factsOf(campaign)} />
      {campaign.is_paused_by_operator && <p className="soft fine">{deskSmsWords.byOperator}</p>}
      {campaign.blocked_by === null && <CampaignMessages campaignId={campaign.campaign_id} />}
    </>
  )
}

export function CampaignPanel({ id }: { readonly id: string }) {
  const query = useRead('sms', '/desk/api/sms/campaigns/{campaign_id}', { campaign_id: id })
  return <QueryAnswer query={query}>{(campaign) => <Shown campaign={campaign} />}</QueryAnswer>
}
