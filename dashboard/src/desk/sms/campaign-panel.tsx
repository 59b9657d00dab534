import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { Asked } from '../../both/layout/wait.tsx'
import { StateOf } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { formatCount } from '../../both/money/format-ghs.ts'
import { campaignStates } from '../../both/sms/campaign-words.ts'
import { Delivery } from '../../both/sms/delivery.tsx'
import { fieldWords } from '../../both/words.ts'
import look from '../frame/look.module.css'
import { deskSmsWords } from '../words/sms.ts'
import { CampaignActs } from './campaign-acts.tsx'
import { CampaignMessages } from './campaign-messages.tsx'
import css from './sms.module.css'

type Fact = readonly [name: string, value: ReactNode]

const momentFact = (name: string, at: string | null): Fact[] => (at === null ? [] : [[name, <Moment key={name} at={at} />]])
const textFact = (name: string, text: string | null): Fact[] => (text === null ? [] : [[name, text]])

function factsOf(campaign: Schema<'DeskCampaign'>): Fact[] {
  const paused = campaign.paused_by === null ? null : campaign.paused_by
  const reason =
    campaign.cancel_reason === null ? null : (deskSmsWords.cancelReasons[campaign.cancel_reason] ?? campaign.cancel_reason)
  return [
    [fieldWords.account, campaign.account],
    ...momentFact(fieldWords.made, campaign.created_at),
    ...momentFact(deskSmsWords.scheduledFor, campaign.scheduled_at),
    ...momentFact(fieldWords.ended, campaign.settled_at),
    [deskSmsWords.charged, formatCount(campaign.credits_charged)],
    [deskSmsWords.refunded, formatCount(campaign.credits_refunded)],
    ...textFact(deskSmsWords.blockedBy, campaign.blocked_by),
    ...textFact(deskSmsWords.pausedBy, paused),
    ...textFact(deskSmsWords.cancelledBy, campaign.cancelled_by ?? reason),
  ]
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
      <p className={look.soft}>
        <Link href={`/accounts/${campaign.account_id}`}>{campaign.account_name}</Link> · {deskSmsWords.each(campaign.segments)}
      </p>
      <Delivery counts={campaign.delivery} isInWords />
      <p className={css.message}>{campaign.message}</p>
      <CampaignActs campaign={campaign} />
      <dl className={css.facts}>
        {factsOf(campaign).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {campaign.is_paused_by_operator && <p className={look.soft}>{deskSmsWords.byOperator}</p>}
      {campaign.blocked_by === null && <CampaignMessages campaignId={campaign.campaign_id} />}
    </>
  )
}

export function CampaignPanel({ id }: { readonly id: string }) {
  const query = useRead('sms', '/desk/api/sms/campaigns/{campaign_id}', { campaign_id: id })
  return <Asked query={query}>{(campaign) => <Shown campaign={campaign} />}</Asked>
}
