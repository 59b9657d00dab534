import { Button, Modal } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Big, Card, Page, Section } from '../../both/layout/page.tsx'
import { Asked, Failure } from '../../both/layout/wait.tsx'
import { State } from '../../both/list/state.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { useMay } from '../me.ts'
import { campaignWords, smsWords } from '../words/sms.ts'
import { type Campaign, campaignTones, isMoving, smsKey } from './ask-sms.ts'
import { CampaignMessages } from './campaign-messages.tsx'
import { countPart, DeliveryBar } from './delivery-bar.tsx'
import css from './sms.module.css'

const lookMilliseconds = 2_000

function useCampaign(id: string) {
  return useQuery({
    queryKey: [...smsKey, 'campaign', id],
    queryFn: ({ signal }) =>
      answerOf(() => api.GET('/app/api/sms/campaigns/{campaign_id}', { params: { path: { campaign_id: id } }, signal })),
    refetchInterval: ({ state }) =>
      state.data && (isMoving(state.data) || state.data.state === 'scheduled') ? lookMilliseconds : false,
  })
}

/** Pauses, resumes and cancels, and shows the server's answer at once. */
function useMoves(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (move: 'pause' | 'resume' | 'cancel') => {
      const options = { params: { path: { campaign_id: id } } }
      if (move === 'pause') return answerOf(() => api.POST('/app/api/sms/campaigns/{campaign_id}/pause', options))
      if (move === 'resume') return answerOf(() => api.POST('/app/api/sms/campaigns/{campaign_id}/resume', options))
      return answerOf(() => api.POST('/app/api/sms/campaigns/{campaign_id}/cancel', options))
    },
    onSuccess: async (campaign) => {
      queries.setQueryData([...smsKey, 'campaign', id], campaign)
      await queries.invalidateQueries({ queryKey: smsKey })
    },
  })
}

function Moves({ campaign }: { readonly campaign: Campaign }) {
  const moving = useMoves(campaign.campaign_id)
  const [isAsking, setAsking] = useState(false)
  const { state } = campaign
  const canCancel = ['scheduled', 'queued', 'sending', 'paused'].includes(state)
  if (!canCancel && !moving.isError) return null
  return (
    <>
      {moving.isError && <Failure error={moving.error} />}
      <div className={css.actions}>
        {state === 'sending' && (
          <Button variant="light" loading={moving.isPending} onClick={() => moving.mutate('pause')}>
            {campaignWords.pause}
          </Button>
        )}
        {state === 'paused' && (
          <Button loading={moving.isPending} onClick={() => moving.mutate('resume')}>
            {campaignWords.resume}
          </Button>
        )}
        {canCancel && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {campaignWords.cancel}
          </Button>
        )}
      </div>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={<b>{campaignWords.askCancel}</b>}>
        <p>{campaignWords.askCancelDetail}</p>
        <div className={css.actions}>
          <Button variant="default" onClick={() => setAsking(false)}>
            {campaignWords.keepIt}
          </Button>
          <Button
            data-autofocus
            loading={moving.isPending}
            onClick={() => moving.mutate('cancel', { onSettled: () => setAsking(false) })}
          >
            {campaignWords.cancel}
          </Button>
        </div>
      </Modal>
    </>
  )
}

function noteOf({ state, cancel_reason }: Campaign): string | undefined {
  if (state === 'paused') return campaignWords.pausedNote
  if (state === 'blocked') return campaignWords.blockedNote
  return cancel_reason === null ? undefined : campaignWords.reasons[cancel_reason]
}

function Facts({ campaign }: { readonly campaign: Campaign }) {
  const { message, sender, segments, credits_charged, credits_refunded, scheduled_at, created_at, source } = campaign
  return (
    <Card>
      <p className={css.message}>{message}</p>
      <dl className={css.facts}>
        <dt>{campaignWords.sender}</dt>
        <dd>{sender}</dd>
        <dt>{campaignWords.cost}</dt>
        <dd>{campaignWords.costOf(smsWords.countCredits(credits_charged), segments)}</dd>
        {credits_refunded > 0 && (
          <>
            <dt>{campaignWords.back}</dt>
            <dd>{smsWords.countCredits(credits_refunded)}</dd>
          </>
        )}
        {scheduled_at !== null && (
          <>
            <dt>{campaignWords.goesOut}</dt>
            <dd>{exactMoment(scheduled_at)}</dd>
          </>
        )}
        <dt>{campaignWords.when}</dt>
        <dd>
          <Moment at={created_at} /> {campaignWords.by[source]}
        </dd>
      </dl>
    </Card>
  )
}

/** One campaign: its progress, and the buttons to pause or cancel it. */
export default function CampaignScreen() {
  const { id } = useParams<{ id: string }>()
  const campaign = useCampaign(id)
  const maySend = useMay('send_sms')
  return (
    <Page
      title={campaignWords.title}
      end={campaign.data && <State tone={campaignTones[campaign.data.state]}>{smsWords.states[campaign.data.state]}</State>}
    >
      <Asked query={campaign}>
        {(found) => {
          const delivered = countPart(found.delivery, 'delivered')
          const note = noteOf(found)
          const hasFailures = countPart(found.delivery, 'failed') > 0
          return (
            <>
              <Card>
                {found.state === 'scheduled' && found.scheduled_at !== null ? (
                  <Big label={campaignWords.goesOut} value={exactMoment(found.scheduled_at)} />
                ) : (
                  <Big label={campaignWords.delivered} value={campaignWords.of(delivered, found.recipients)} />
                )}
                <div className={css.small}>
                  <DeliveryBar delivery={found.delivery} />
                </div>
                {note !== undefined && <p className={css.note}>{note}</p>}
                {maySend && <Moves campaign={found} />}
                {hasFailures && (
                  <a className={css.file} href={`/app/api/sms/campaigns/${id}/failures.csv`} download>
                    {campaignWords.failures}
                  </a>
                )}
              </Card>
              <Section title={campaignWords.text}>
                <Facts campaign={found} />
              </Section>
              {found.state !== 'blocked' && <CampaignMessages campaign={found} />}
            </>
          )
        }}
      </Asked>
    </Page>
  )
}
