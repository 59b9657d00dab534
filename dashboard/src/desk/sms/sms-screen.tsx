import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation, useRoute } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { operations } from '../../both/api/dashboard-api.d.ts'
import { Beside } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { LiveTable } from '../../both/list/paged-table.tsx'
import { State } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { type Filters, useFilters } from '../../both/list/use-filters.ts'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import { campaignStates, deskSmsWords } from '../words/sms.ts'
import { CampaignPanel } from './campaign-panel.tsx'
import { CheckText } from './check-text.tsx'
import { Delivery, type DeskCampaign } from './delivery.tsx'
import css from './sms.module.css'

type Query = NonNullable<operations['deskListCampaigns']['parameters']['query']>
type FilterName = 'group' | 'account'

function Credits({ campaign }: { readonly campaign: DeskCampaign }) {
  const { credits_charged: charged, credits_refunded: refunded } = campaign
  return (
    <div>
      {formatCount(charged)}
      {refunded > 0 && <div className={css.note}>{deskSmsWords.back(refunded)}</div>}
    </div>
  )
}

function CampaignState({ state }: Pick<DeskCampaign, 'state'>) {
  const { word, tone } = campaignStates[state]
  return <State tone={tone}>{word}</State>
}

const when: Column<DeskCampaign> = {
  title: deskSmsWords.when,
  show: ({ created_at: at, scheduled_at: scheduledAt, state: now }) =>
    relativeMoment(now === 'scheduled' && scheduledAt !== null ? scheduledAt : at),
}
const account: Column<DeskCampaign> = { title: deskSmsWords.account, show: ({ account_name: name }) => name, isMain: true }
const sender: Column<DeskCampaign> = { title: deskSmsWords.sender, show: ({ sender: name }) => name }
const recipients: Column<DeskCampaign> = {
  title: deskSmsWords.recipients,
  show: ({ recipients: count }) => formatCount(count),
  isFigure: true,
}
const progress: Column<DeskCampaign> = { title: deskSmsWords.progress, show: (campaign) => <Delivery campaign={campaign} /> }
const credits: Column<DeskCampaign> = {
  title: deskSmsWords.credits,
  show: (campaign) => <Credits campaign={campaign} />,
  isFigure: true,
}
const state: Column<DeskCampaign> = { title: deskSmsWords.state, show: (campaign) => <CampaignState state={campaign.state} /> }

const columns = [when, account, sender, recipients, progress, credits, state]
/** Beside a panel there is room for less. */
const columnsBesidePanel = [when, account, recipients, progress, state]

const keyOf = (campaign: DeskCampaign) => campaign.campaign_id

function FindAccount({ account, onFind }: { readonly account: string; readonly onFind: (account: string) => void }) {
  const [typed, setTyped] = useState(account)
  const find = (event: FormEvent) => {
    event.preventDefault()
    onFind(typed.trim())
  }
  return (
    <search>
      <form className={css.find} onSubmit={find}>
        <TextInput
          type="search"
          label={deskSmsWords.accountHint}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" variant="light">
          {deskSmsWords.find}
        </Button>
        {account !== '' && (
          <Button variant="subtle" onClick={() => onFind('')}>
            {deskSmsWords.clear}
          </Button>
        )}
      </form>
    </search>
  )
}

function useAskCampaigns(filters: Filters<FilterName>) {
  return useInfiniteQuery({
    queryKey: ['sms', 'list', filters],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, ...(pageParam !== undefined && { before: pageParam }) } as Query
      return answerOf(() => api.GET('/desk/api/sms/campaigns', { params: { query }, signal }))
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

type CampaignsProps = {
  readonly filters: Filters<FilterName>
  readonly selected: string | undefined
  readonly onSelect: (campaign: string) => void
}

function Campaigns({ filters, selected, onSelect }: CampaignsProps) {
  const list = JSON.stringify(filters)
  const isFiltered = list !== '{}'
  return (
    <MorePages query={useAskCampaigns(filters)} more={deskSmsWords.more}>
      {(pages) => {
        const campaigns = pages.flatMap((page) => page.campaigns)
        if (campaigns.length > 0) {
          return (
            <LiveTable
              key={list}
              name={list}
              label={deskSmsWords.list}
              columns={selected === undefined ? columns : columnsBesidePanel}
              rows={campaigns}
              keyOf={keyOf}
              selected={selected}
              onSelect={onSelect}
            />
          )
        }
        return (
          <Empty title={isFiltered ? deskSmsWords.nothingFits : deskSmsWords.empty}>
            {isFiltered ? deskSmsWords.nothingFitsNext : deskSmsWords.emptyNext}
          </Empty>
        )
      }}
    </MorePages>
  )
}

/** The campaigns of all accounts, the actions on them, and a check of texts against the content policy. */
export default function SmsScreen() {
  const { filters, setFilters, search } = useFilters(['group', 'account'])
  const [, params] = useRoute('/sms/:campaign')
  const [, navigate] = useLocation()
  const selected = params?.campaign
  const groups = Object.entries(deskSmsWords.groups).map(([group, title]) => {
    const wanted = new URLSearchParams({
      ...(group !== 'all' && { group }),
      ...(filters.account && { account: filters.account }),
    })
    return { group, title, href: wanted.size === 0 ? '/sms' : `/sms?${wanted.toString()}` }
  })
  return (
    <Page title={deskSmsWords.title} isWide>
      <Beside
        label={deskSmsWords.panel}
        panel={selected === undefined ? undefined : <CampaignPanel key={selected} id={selected} />}
        onClose={() => navigate(`/sms${search}`)}
      >
        <nav className={css.tabs} aria-label={deskSmsWords.groupLabel}>
          {groups.map(({ group, title, href }) => (
            <Link key={group} href={href} aria-current={group === (filters.group ?? 'all') ? 'page' : undefined}>
              {title}
            </Link>
          ))}
        </nav>
        <FindAccount key={filters.account} account={filters.account ?? ''} onFind={(account) => setFilters({ account })} />
        <Campaigns filters={filters} selected={selected} onSelect={(campaign) => navigate(`/sms/${campaign}${search}`)} />
        <CheckText />
      </Beside>
    </Page>
  )
}
