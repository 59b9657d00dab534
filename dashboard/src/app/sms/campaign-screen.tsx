import { Button } from '@mantine/core'
import { useParams } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { useAct, useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Facts } from '../../both/layout/facts.tsx'
import { Big, Card, Page, Section } from '../../both/layout/page.tsx'
import { Failure, QueryAnswer } from '../../both/layout/query-states.tsx'
import { StateOf } from '../../both/list/state.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { campaignStates, cancelReasons } from '../../both/sms/campaign-words.ts'
import { countMessages, Delivery } from '../../both/sms/delivery.tsx'
import { useMay } from '../me.ts'
import { campaignWords, composerWords, smsWords } from '../words/sms.ts'
import { type Campaign, isMoving } from './ask-sms.ts'
import { CampaignMessages } from './campaign-messages.tsx'
import css from './sms.module.css'

const lookMilliseconds = 2_000

const moves = {
  pause: '/app/api/sms/campaigns/{campaign_id}/pause',
  resume: '/app/api/sms/campaigns/{campaign_id}/resume',
  cancel: '/app/api/sms/campaigns/{campaign_id}/cancel',
} as const

function Moves({ campaign: { campaign_id, state } }: { readonly campaign: Campaign }) {
  const move = (name: keyof typeof moves) => post(moves[name], { campaign_id })
  const moving = useAct(move, ['sms'])
  const canCancel = ['scheduled', 'queued', 'sending', 'paused'].includes(state)
  if (!canCancel && !moving.isError) return null
  return (
    <>
      {moving.isError && <Failure error={moving.error} />}
      <div className={css.actions}>
        {state === 'sending' && (
          <Button variant="light" loading={moving.isPending} onClick={() => moving.mutate('pause')}>
            {fieldWords.pause}
          </Button>
        )}
        {state === 'paused' && (
          <Button loading={moving.isPending} onClick={() => moving.mutate('resume')}>
            {campaignWords.resume}
          </Button>
        )}
        {canCancel && (
          <Act
            label={campaignWords.cancel}
            question={campaignWords.askCancel}
            no={fieldWords.keepIt}
            button={{ variant: 'default' }}
            run={() => move('cancel')}
            topics={['sms']}
          >
            <p>{campaignWords.askCancelDetail}</p>
          </Act>
        )}
      </div>
    </>
  )
}

function noteOf({ state, waits_until, cancelled_by, cancel_reason }: Campaign): string | undefined {
  if (waits_until !== null) return composerWords.waits(exactMoment(waits_until))
  if (state === 'paused') return campaignWords.pausedNote
  if (state === 'blocked') return campaignWords.blockedNote
  if (cancel_reason !== null) return cancelReasons[cancel_reason]
  return cancelled_by === null ? undefined : campaignWords.cancelledBy[cancelled_by]
}

function CampaignFacts({ campaign }: { readonly campaign: Campaign }) {
  const {
    message,
    sender,
    segments,
    recipients,
    credits_charged,
    credits_refunded,
    scheduled_at,
    created_at,
    source,
    opted_out,
  } = campaign
  return (
    <Card>
      <p className={css.message}>{message}</p>
      <Facts
        facts={{
          [campaignWords.sender]: sender,
          [fieldWords.cost]: campaignWords.costOf(
            smsWords.countCredits(credits_charged),
            segments,
            credits_charged > 0 && credits_charged < segments * recipients,
          ),
          [campaignWords.back]: credits_refunded > 0 && smsWords.countCredits(credits_refunded),
          [campaignWords.leftOut]: opted_out > 0 && campaignWords.optedOut(opted_out),
          [campaignWords.goesOut]: scheduled_at && exactMoment(scheduled_at),
          [fieldWords.made]: (
            <>
              <Moment at={created_at} /> {campaignWords.by[source]}
            </>
          ),
        }}
      />
    </Card>
  )
}

/** One campaign: its progress, and the buttons to pause or cancel it. */
export default function CampaignScreen() {
  const { id } = useParams<{ id: string }>()
  const campaign = useRead(
    'sms',
    '/app/api/sms/campaigns/{campaign_id}',
    { campaign_id: id },
    {
      refetchInterval: ({ state: { data } }) =>
        data && (isMoving(data) || data.state === 'scheduled') ? lookMilliseconds : false,
    },
  )
  const maySend = useMay('send_sms')
  return (
    <Page title={campaignWords.title} end={campaign.data && <StateOf {...campaignStates[campaign.data.state]} />}>
      <QueryAnswer query={campaign}>
        {(found) => {
          const delivered = countMessages(found.delivery, 'delivered')
          const note = noteOf(found)
          const hasFailures = countMessages(found.delivery, 'failed') > 0
          return (
            <>
              <Card>
                {found.state === 'scheduled' && found.scheduled_at !== null ? (
                  <Big label={campaignWords.goesOut} value={exactMoment(found.scheduled_at)} />
                ) : (
                  <Big label={fieldWords.delivered} value={campaignWords.of(delivered, found.recipients)} />
                )}
                <Delivery counts={found.delivery} isInWords />
                {note !== undefined && <p className={css.note}>{note}</p>}
                {maySend && <Moves campaign={found} />}
                {hasFailures && (
                  <a className={css.file} href={`/app/api/sms/campaigns/${id}/failures.csv`} download>
                    {campaignWords.failures}
                  </a>
                )}
              </Card>
              <Section title={campaignWords.text}>
                <CampaignFacts campaign={found} />
              </Section>
              {found.state !== 'blocked' && <CampaignMessages campaign={found} />}
            </>
          )
        }}
      </QueryAnswer>
    </Page>
  )
}
