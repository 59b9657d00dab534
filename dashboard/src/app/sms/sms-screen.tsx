import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Big, Card, Page, Section } from '../../both/layout/page.tsx'
import { Asked, Empty, Failure, Waiting } from '../../both/layout/wait.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { exactMoment, relativeMoment } from '../../both/moments/format-moment.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import { useMay } from '../me.ts'
import { smsWords } from '../words/sms.ts'
import { type Campaign, campaignTones, isMoving, smsKey, useDrafts, useSms } from './ask-sms.ts'
import { DeliveryBar } from './delivery-bar.tsx'
import css from './sms.module.css'

function CampaignRow({ campaign }: { readonly campaign: Campaign }) {
  const { campaign_id, message, recipients, state, scheduled_at, created_at, delivery } = campaign
  const when =
    state === 'scheduled' && scheduled_at !== null
      ? `${smsWords.goesOut} ${exactMoment(scheduled_at)}`
      : relativeMoment(created_at)
  return (
    <Row
      href={`/sms/campaigns/${campaign_id}`}
      title={<span className={css.clamp}>{message}</span>}
      detail={
        <>
          {smsWords.toNumbers(recipients)} · {when}
          {state !== 'scheduled' && <DeliveryBar delivery={delivery} isSmall />}
        </>
      }
      end={<State tone={campaignTones[state]}>{smsWords.states[state]}</State>}
    />
  )
}

function Campaigns() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...smsKey, 'campaigns'],
    queryFn: ({ pageParam, signal }) =>
      answerOf(() =>
        api.GET('/app/api/sms/campaigns', { params: { query: pageParam === null ? {} : { before: pageParam } }, signal }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.campaigns.some((campaign) => isMoving(campaign)) === true ? 5_000 : false,
  })
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Waiting />
  const campaigns = data.pages.flatMap((page) => page.campaigns)
  const scheduled = campaigns.filter(({ state }) => state === 'scheduled')
  const others = campaigns.filter(({ state }) => state !== 'scheduled')
  if (campaigns.length === 0) {
    return (
      <Section title={smsWords.campaigns}>
        <Empty title={smsWords.noCampaigns}>{smsWords.noCampaignsNext}</Empty>
      </Section>
    )
  }
  return (
    <>
      {[
        { title: smsWords.scheduled, shown: scheduled },
        { title: smsWords.campaigns, shown: others },
      ].map(
        ({ title, shown }) =>
          shown.length > 0 && (
            <Section key={title} title={title}>
              <Rows label={title}>
                {shown.map((campaign) => (
                  <CampaignRow key={campaign.campaign_id} campaign={campaign} />
                ))}
              </Rows>
            </Section>
          ),
      )}
      {hasNextPage && (
        <Button variant="default" mt={12} fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {smsWords.older}
        </Button>
      )}
    </>
  )
}

function DraftRows() {
  const { data } = useDrafts()
  if (!data || data.drafts.length === 0) return null
  return (
    <Section title={smsWords.drafts}>
      <Rows label={smsWords.drafts}>
        {data.drafts.map(({ draft_id, message, updated_at }) => (
          <Row
            key={draft_id}
            href={`/sms/new?draft=${draft_id}`}
            title={<span className={css.clamp}>{message === '' ? smsWords.noText : message}</span>}
            detail={relativeMoment(updated_at)}
          />
        ))}
      </Rows>
    </Section>
  )
}

/** The credits, the campaigns, and the drafts. */
export default function SmsScreen() {
  const overview = useSms()
  const maySend = useMay('send_sms')
  const mayBuy = useMay('buy')
  const mayManageKeys = useMay('manage_keys')
  const mayManage = useMay('manage_account')
  return (
    <Page title={smsWords.title}>
      <Asked query={overview} lines={2}>
        {({ credits, is_business, default_sender }) => (
          <>
            <Card>
              <Big label={smsWords.credits} value={formatCount(credits)} />
              {is_business && (maySend || mayBuy) && (
                <div className={css.actions}>
                  {maySend && (
                    <Button component={Link} href="/sms/new">
                      {smsWords.newMessage}
                    </Button>
                  )}
                  {mayBuy && (
                    <Button component={Link} href="/sms/credits" variant="light">
                      {smsWords.buyCredits}
                    </Button>
                  )}
                </div>
              )}
            </Card>
            {!is_business && (
              <Card tone="gold">
                <b>{smsWords.notBusiness}</b>
                <p>{smsWords.notBusinessNext}</p>
                {mayManage && <Link href="/business">{smsWords.askForApproval}</Link>}
              </Card>
            )}
            <Campaigns />
            <DraftRows />
            <Section title={smsWords.more}>
              <Rows label={smsWords.more}>
                <Row href="/sms/contacts" title={smsWords.contacts} detail={smsWords.contactsDetail} />
                <Row href="/sms/senders" title={smsWords.senders} detail={smsWords.sendersDetail(default_sender)} />
                {mayManageKeys && <Row href="/sms/key" title={smsWords.key} detail={smsWords.keyDetail} />}
              </Rows>
            </Section>
          </>
        )}
      </Asked>
    </Page>
  )
}
