import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { usePages } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Big, Card, Page, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { StateOf } from '../../both/list/state.tsx'
import { exactMoment, relativeMoment } from '../../both/moments/format-moment.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import { campaignStates } from '../../both/sms/campaign-words.ts'
import { Delivery } from '../../both/sms/delivery.tsx'
import { useMay } from '../me.ts'
import { smsWords } from '../words/sms.ts'
import { type Campaign, isMoving, useDrafts, useSms } from './ask-sms.ts'
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
          {state !== 'scheduled' && <Delivery counts={delivery} />}
        </>
      }
      end={<StateOf {...campaignStates[state]} />}
    />
  )
}

function Campaigns() {
  const query = usePages(
    'sms',
    '/app/api/sms/campaigns',
    {},
    {
      cursor: 'before',
      refetchInterval: ({ state: { data } }) => (data?.pages[0]?.campaigns.some(isMoving) === true ? 5_000 : false),
    },
  )
  return (
    <MorePages query={query} more={fieldWords.showOlder}>
      {(pages) => {
        const campaigns = pages.flatMap((page) => page.campaigns)
        const scheduled = campaigns.filter(({ state }) => state === 'scheduled')
        const others = campaigns.filter(({ state }) => state !== 'scheduled')
        return (
          <>
            {scheduled.length > 0 && <CampaignRows title={smsWords.scheduled} campaigns={scheduled} />}
            {others.length > 0 && <CampaignRows title={smsWords.campaigns} campaigns={others} />}
            {campaigns.length === 0 && (
              <Section title={smsWords.campaigns}>
                <Empty title={smsWords.noCampaigns}>{smsWords.noCampaignsNext}</Empty>
              </Section>
            )}
          </>
        )
      }}
    </MorePages>
  )
}

function CampaignRows({ title, campaigns }: { readonly title: string; readonly campaigns: readonly Campaign[] }) {
  return (
    <Section title={title}>
      <Rows label={title}>
        {campaigns.map((campaign) => (
          <CampaignRow key={campaign.campaign_id} campaign={campaign} />
        ))}
      </Rows>
    </Section>
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
    <Page title={fieldWords.sms}>
      <QueryAnswer query={overview} lines={2}>
        {({ credits, is_business, default_sender }) => (
          <>
            <Card>
              <Big label={fieldWords.smsCredits} value={formatCount(credits)} />
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
            <Section title={smsWords.more}>
              <Rows label={smsWords.more}>
                <Row href="/sms/contacts" title={smsWords.contacts} detail={smsWords.contactsDetail} />
                <Row href="/sms/senders" title={smsWords.senders} detail={smsWords.sendersDetail(default_sender)} />
                {mayManageKeys && <Row href="/sms/key" title={smsWords.key} detail={smsWords.keyDetail} />}
              </Rows>
            </Section>
            <Campaigns />
            <DraftRows />
          </>
        )}
      </QueryAnswer>
    </Page>
  )
}
