import type { Schema } from '../../both/api/call-api.ts'
import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { countMessages } from '../../both/sms/delivery.tsx'
import look from '../frame/look.module.css'
import { useMay } from '../me.ts'
import { deskSmsWords } from '../words/sms.ts'
import css from './sms.module.css'

const paths = {
  pause: '/desk/api/sms/campaigns/{campaign_id}/pause',
  resume: '/desk/api/sms/campaigns/{campaign_id}/resume',
  cancel: '/desk/api/sms/campaigns/{campaign_id}/cancel',
} as const
type Way = keyof typeof paths

/** The actions that the state of a campaign allows. */
function waysOf({ state }: Schema<'DeskCampaign'>): readonly Way[] {
  if (state === 'sending') return ['pause', 'cancel']
  if (state === 'paused') return ['resume', 'cancel']
  return state === 'queued' || state === 'scheduled' ? ['cancel'] : []
}

/** Pauses, resumes or cancels a campaign of an account, with a reason that the account reads. */
export function CampaignActs({ campaign }: { readonly campaign: Schema<'DeskCampaign'> }) {
  const mayAct = useMay('manage_accounts')
  const ways = waysOf(campaign)
  if (!mayAct || ways.length === 0) return null
  const act = (way: Way) => (reason: string) => post(paths[way], { campaign_id: campaign.campaign_id, reason })
  const means = {
    pause: deskSmsWords.pauseMeans,
    resume: deskSmsWords.resumeMeans,
    cancel: deskSmsWords.cancelMeans(countMessages(campaign.delivery, 'queued')),
  }
  return (
    <section className={css.now} aria-labelledby="what-now">
      <h2 id="what-now">{fieldWords.whatNow}</h2>
      <div className={look.acts}>
        {ways.map((way) => (
          <Act
            key={way}
            label={deskSmsWords[way]}
            question={`${deskSmsWords[way]}?`}
            reason="needed"
            reasonHelp={fieldWords.accountReadsReason}
            isGrave={way === 'cancel'}
            button={{ variant: way === 'cancel' ? 'default' : 'light' }}
            topics={['sms', 'orders', 'accounts']}
            run={act(way)}
          >
            <p>
              {campaign.account_name}, {campaign.sender}, {deskSmsWords.to(campaign.recipients)}
            </p>
            <p className="soft fine">{means[way]}</p>
          </Act>
        ))}
      </div>
    </section>
  )
}
